import { fairQueue } from '../async/index.ts'
import type { Database } from '../database/index.ts'
import type { Store } from '../log/index.ts'
import { createOwnershipTransfer, type OwnershipTransfer } from './transfer-ownership.ts'
import { announceThreads } from './announce-threads.ts'
import { createBranches, type Branches } from './branches.ts'
import { createFeedback, type Feedback } from './feedback.ts'
import { createForks, type Forks } from './forks.ts'
import { createHistory, type History } from './history.ts'
import { createMessagePages, type MessagePages } from './message-pages.ts'
import { createProjector, type Projector, type ProjectorOptions } from './projector.ts'
import { createThreadRecount, type ThreadRecount } from './recount-threads.ts'
import { unlimitedStorage } from './thread-storage.ts'
import { renewMessageWords } from './renew-message-words.ts'
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
  readonly feedback: Feedback
  readonly forks: Forks
  readonly messagePages: MessagePages
  readonly search: Search
  readonly questions: Questions
  readonly runList: RunList
  readonly ownership: OwnershipTransfer
  readonly deletion: ThreadDeletion
  readonly projector: Projector
  readonly recount: ThreadRecount
  /** Renews words that an earlier version has written: see `renewMessageWords`. */
  readonly renewWords: (signal: AbortSignal) => Promise<void>
}

export function createThreadServices(db: Database, store: Store, options: ProjectorOptions): ThreadServices {
  const history = createHistory(db)
  // What is copied and imported may be large: chats have most of the time to themselves.
  const slices = fairQueue({ rest: 4 })
  const services: ThreadServices = {
    threads: createThreads(db, options.storage),
    history,
    branches: createBranches(db, history),
    feedback: createFeedback(db, options.storage),
    forks: createForks(db, history, { storage: options.storage, slices }),
    messagePages: createMessagePages(db),
    search: createSearch(db),
    questions: createQuestions(db),
    runList: createRunList(db),
    ownership: createOwnershipTransfer(db, options.storage),
    deletion: createThreadDeletion(db, options.storage),
    projector: createProjector(db, store, { ...options, slices }),
    recount: createThreadRecount(db, options.storage ?? unlimitedStorage),
    renewWords: (signal) => renewMessageWords(db, signal),
  }
  return options.changes ? announceThreads(services, options.changes) : services
}
