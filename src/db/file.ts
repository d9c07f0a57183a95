import { mkdir, open } from 'node:fs/promises'
import { join } from 'node:path'

import { ServiceError } from '../errors.ts'

/** Makes the database's file in a home, where there is none, and gives its path. Nobody else may read it. */
export async function databaseFile(home: string): Promise<string> {
  const file = fileIn(home)
  await mkdir(home, { recursive: true, mode: 0o700 })
  // SQLite gives the files beside it the mode of this one.
  await (await open(file, 'a', 0o600)).close()
  return file
}

/** What to tell whoever named a home whose database cannot be opened. */
export function unusable(home: string, cause: unknown): ServiceError {
  return new ServiceError('unavailable', `${fileIn(home)} cannot be used: ${innermost(cause)}.`, { cause })
}

function fileIn(home: string): string {
  return join(home, 'dragoman.db')
}

function innermost(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause === undefined ? error.message.replace(/\.$/, '') : innermost(error.cause)
}
