import { chmodSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { z } from 'zod'

import { readHomeFile } from './read-home-file.ts'

const FILE = 'keys.json'
/** Only the owner of the process can read it. */
const MODE = 0o600

const schema = z.record(z.string(), z.string())

/** Variables as a page has saved them, by name. @throws ServiceError `invalid-request` for an unreadable file */
export function readSavedKeys(home: string): Readonly<Record<string, string>> {
  return readHomeFile(join(home, FILE), schema, {}) ?? {}
}

/** Saves variables, whole or not at all. */
export function writeSavedKeys(home: string, keys: Readonly<Record<string, string>>): void {
  mkdirSync(home, { recursive: true })
  const path = join(home, FILE)
  const temporary = `${path}.${process.pid}.part`
  writeFileSync(temporary, `${JSON.stringify(keys, null, 2)}\n`, { mode: MODE })
  chmodSync(temporary, MODE)
  renameSync(temporary, path)
}
