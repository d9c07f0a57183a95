import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { run } from '../../../../test/support/process.ts'

export type VibeLifeServer = AsyncDisposable & {
  readonly url: string
  /** Kills it as `kill -9` does, and starts it again at the same address. */
  readonly killAndStart: () => Promise<void>
}

/** The executable of the README, before that provider. */
export async function vibelifeServer(
  providerUrl: string,
  env: Readonly<Record<string, string>> = {},
): Promise<VibeLifeServer> {
  const home = await mkdtemp(join(tmpdir(), 'dragoman-test-'))
  const all = {
    PATH: process.env['PATH'] ?? '',
    OPENAI_BASE_URL: providerUrl,
    OPENAI_API_KEY: 'k',
    OPENAI_MODEL: 'm',
    ...env,
  }
  const start = (port: string) => run(['--port', port, '--home', home], all)
  let program = start('0')
  const url = await program.ready
  return {
    url,
    async killAndStart() {
      program.kill()
      await program.ended
      program = start(new URL(url).port)
      await program.ready
    },
    async [Symbol.asyncDispose]() {
      await program.stop()
      await rm(home, { recursive: true, force: true })
    },
  }
}
