import type { Database } from '../database/index.ts'
import type { Store } from '../log/index.ts'
import { adoption, type Adoption } from './adoption.ts'
import { branches, type Branches } from './branches.ts'
import { forks, type Forks } from './forks.ts'
import { history, type History } from './history.ts'
import { pages, type Pages } from './pages.ts'
import { projector, type Projector, type ProjectorOptions } from './projector.ts'
import { questions, type Questions } from './questions.ts'
import { leaving, type Leaving } from './removal.ts'
import { search, type Search } from './search.ts'
import { threads, type Threads } from './threads.ts'

/** All that is kept of what is said. */
export type Talk = {
  readonly threads: Threads
  readonly history: History
  readonly branches: Branches
  readonly forks: Forks
  readonly pages: Pages
  readonly search: Search
  readonly questions: Questions
  readonly adoption: Adoption
  readonly leaving: Leaving
  readonly projector: Projector
}

export function talk(db: Database, store: Store, options: ProjectorOptions): Talk {
  const past = history(db)
  return {
    threads: threads(db),
    history: past,
    branches: branches(db, past),
    forks: forks(db, past),
    pages: pages(db),
    search: search(db),
    questions: questions(db),
    adoption: adoption(db),
    leaving: leaving(db),
    projector: projector(db, store, options),
  }
}
