import type { NativeOptions } from './native-options.ts'
import { Hono } from 'hono'

import type { HttpEnv } from '../http/index.ts'
import { exportRoutes } from './native-export.ts'
import { questionRoutes } from './native-questions.ts'
import { runRoutes, talkRoutes } from './native-runs.ts'
import { searchRoutes } from './native-search.ts'
import { changeRoutes, threadRoutes } from './native-threads.ts'

/** Our own API: threads, their messages and runs, what is found and asked in them, and any run in any protocol. */
export function nativeApi(options: NativeOptions): Hono<HttpEnv> {
  return new Hono<HttpEnv>()
    .route('/threads', threadRoutes(options))
    .route('/threads', changeRoutes(options))
    .route('/threads', talkRoutes(options))
    .route('/threads', exportRoutes(options))
    .route('/search', searchRoutes(options))
    .route('/questions', questionRoutes(options))
    .route('/runs', runRoutes(options))
}
