import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

import { z } from 'zod'

import { readHomeFile } from './read-home-file.ts'

const FILE = 'keys.json'
/** The file, and what a process has left that died while it wrote it. */
const FILES = /^keys\.json(?:\.\d+\.part)?$/

const schema = z.record(z.string(), z.string())

/**
 * Variables by name that an earlier version has saved in plain text. Undefined if there is no such file.
 * @throws ServiceError `invalid-request` for an unreadable file
 */
export function readKeysFile(home: string): Readonly<Record<string, string>> | undefined {
  return readHomeFile(join(home, FILE), schema, {})
}

export function removeKeysFile(home: string): void {
  for (const name of readdirSync(home)) if (FILES.test(name)) rmSync(join(home, name), { force: true })
}
