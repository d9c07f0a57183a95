import type { Database } from '../database/index.ts'
import type { Store } from '../log/index.ts'
import { createOwnershipTransfer, type OwnershipTransfer } from './transfer-ownership.ts'
import { createBranches, type Branches } from './branches.ts'
import { createForks, type Forks } from './forks.ts'
import { createHistory, type History } from './history.ts'
import { createMessagePages, type MessagePages } from './message-pages.ts'
import { createProjector, type Projector, type ProjectorOptions } from './projector.ts'
import { createQuestions, type Questions } from './questions.ts'
import { createThreadDeletion, type ThreadDeletion } from './thread-deletion.ts'
import { createRunList, type RunList } from './run-list.ts'
import { createSearch, type Search } from './search.ts'
import { createThreads, type Threads } from './threads.ts'

/** Everything that reads and writes threads and their messages. */
export type ThreadServices = {
  readonly threads: Threads
  readonly history: History
  readonly branches: Branches
  readonly forks: Forks
  readonly messagePages: MessagePages
  readonly search: Search
  readonly questions: Questions
  readonly runList: RunList
  readonly ownership: OwnershipTransfer
  readonly deletion: ThreadDeletion
  readonly projector: Projector
}

export function createThreadServices(db: Database, store: Store, options: ProjectorOptions): ThreadServices {
  const history = createHistory(db)
  return {
    threads: createThreads(db),
    history,
    branches: createBranches(db, history),
    forks: createForks(db, history),
    messagePages: createMessagePages(db),
    search: createSearch(db),
    questions: createQuestions(db),
    runList: createRunList(db),
    ownership: createOwnershipTransfer(db),
    deletion: createThreadDeletion(db),
    projector: createProjector(db, store, options),
  }
}
