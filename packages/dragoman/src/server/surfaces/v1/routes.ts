import type { V1Options } from './options.ts'
import { Hono } from 'hono'

import type { HttpEnv } from '../../http/index.ts'
import { changeRoutes } from './changes.ts'
import { exportThreadRoutes } from './export-thread.ts'
import { fileRoutes } from './files.ts'
import { questionRoutes } from './questions.ts'
import { runRoutes, threadMessageRoutes } from './runs.ts'
import { searchRoutes } from './search.ts'
import { threadChangeRoutes, threadRoutes } from './threads.ts'

/** The server's own API: threads, messages, runs, search, questions, and any run in any protocol. */
export function v1Routes(options: V1Options): Hono<HttpEnv> {
  return new Hono<HttpEnv>()
    .route('/threads', threadRoutes(options))
    .route('/threads', threadChangeRoutes(options))
    .route('/threads', threadMessageRoutes(options))
    .route('/threads', exportThreadRoutes(options))
    .route('/search', searchRoutes(options))
    .route('/questions', questionRoutes(options))
    .route('/runs', runRoutes(options))
    .route('/events', changeRoutes(options))
    .route('/files', fileRoutes(options))
}
