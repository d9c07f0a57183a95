import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { onTestFinished } from 'vitest'

import { dropHomeDatabase } from './home-storage.ts'

/**
 * Creates a folder for the current test, which may call this in `beforeEach`. After the test it is removed, with what
 * is stored for it.
 */
export async function createTempDir(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'dragoman-test-'))
  onTestFinished(async () => {
    await rm(folder, { recursive: true, force: true })
    await dropHomeDatabase(folder)
  })
  return folder
}
