import { globSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')

/** When the last of these files was changed. The patterns are relative to the repository. */
export function lastChangeOf(patterns: readonly string[]): string {
  const files = globSync(patterns, { cwd: ROOT })
  return String(Math.max(...files.map((file) => statSync(join(ROOT, file)).mtimeMs)))
}

/** Whether a file says this. */
export function hasText(file: string, text: string): boolean {
  try {
    return readFileSync(file, 'utf8') === text
  } catch {
    return false
  }
}
