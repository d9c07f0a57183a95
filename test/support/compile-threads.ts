import { execFileSync } from 'node:child_process'
import { globSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')
const SOURCES = '{packages,agents}/*/src/**/*.ts'

/**
 * Fills the cache of compiled modules with what threads load, once after each change. A thread that a test kills never
 * writes to the cache.
 */
export function setup(): void {
  const stamp = join(String(process.env['NODE_COMPILE_CACHE']), 'threads')
  const newest = String(
    Math.max(...globSync(SOURCES, { cwd: ROOT }).map((file) => statSync(join(ROOT, file)).mtimeMs)),
  )
  if (readIfThere(stamp) === newest) return
  execFileSync(process.execPath, [join(import.meta.dirname, 'load-threads.ts')])
  writeFileSync(stamp, newest)
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
