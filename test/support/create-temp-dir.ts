import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { onTestFinished } from 'vitest'

/** Creates a folder for the current test, which may call this in `beforeEach`. It is removed after the test. */
export async function createTempDir(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'dragoman-test-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}
