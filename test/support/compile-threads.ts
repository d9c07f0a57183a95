import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { hasText, lastChangeOf } from './last-change.ts'

const SOURCES = ['{packages,agents}/*/src/**/*.ts', 'package-lock.json']

/**
 * Fills the cache of compiled modules with what threads load, once after each change. A thread that a test kills never
 * writes to the cache.
 */
export function setup(): void {
  const stamp = join(String(process.env['NODE_COMPILE_CACHE']), 'threads')
  const lastChange = lastChangeOf(SOURCES)
  if (hasText(stamp, lastChange)) return
  execFileSync(process.execPath, [join(import.meta.dirname, 'load-threads.ts')])
  writeFileSync(stamp, lastChange)
}
