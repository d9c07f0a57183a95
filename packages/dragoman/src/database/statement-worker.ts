import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'

import { execute, setUpConnection, statementCache } from './sqlite-connection.ts'
import type { StatementAnswer, StatementRequest } from './statement-thread.ts'

const sqlite = new DatabaseSync((workerData as { file: string }).file, { timeout: 5000 })
setUpConnection(sqlite)
const prepare = statementCache(sqlite)

parentPort?.on('message', (request: StatementRequest) => parentPort?.postMessage(answer(request)))

function answer(request: StatementRequest): StatementAnswer {
  // SQLite ends some failed transactions by itself (disk full).
  if (request.sql === 'rollback' && !sqlite.isTransaction) return { result: { rows: [] } }
  try {
    return { result: execute(prepare(request.sql), request) }
  } catch (error) {
    const { message, errcode } = error as Error & { readonly errcode?: number }
    return { error: { message, errcode } }
  }
}
