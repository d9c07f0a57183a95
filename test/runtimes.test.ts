import { execFile, spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { describe, expect, it } from 'vitest'

const PROGRAM = join(import.meta.dirname, 'support/runtime-server.ts')

describe.each([
  ['bun', [PROGRAM]],
  ['deno', ['run', '--allow-all', '--node-modules-dir=manual', PROGRAM]],
])('%s', (runtime, args) => {
  const isInstalled = spawnSync(runtime, ['--version']).status === 0

  it.runIf(isInstalled)('serves an agent and exits', async () => {
    const home = await mkdtemp(join(tmpdir(), 'dragoman-test-'))
    try {
      const { stdout } = await promisify(execFile)(runtime, [...args, home])

      expect(stdout).toMatch(/^200 /)
      expect(stdout).toContain('run.finished')
    } finally {
      await rm(home, { recursive: true, force: true })
    }
  })
})
