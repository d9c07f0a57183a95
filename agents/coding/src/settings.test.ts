import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { testServices } from '../../../packages/dragoman/src/agents/agent-services.fixture.ts'
import { readConfig } from '../../../packages/dragoman/src/config/config.ts'
import { coding } from './index.ts'
import { settings } from './settings.ts'

describe('the settings of the coding agent', () => {
  let home: string
  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'dragoman-test-'))
  })
  afterAll(() => rm(home, { recursive: true }))

  const read = (...args: readonly string[]) =>
    readConfig(['--home', home, ...args], {}, [coding]).agents['coding']

  it('have safe defaults', () => {
    expect(read()).toEqual({
      roots: [],
      commandTimeout: 30,
      commandNetwork: 'none',
      commands: 'ask',
      limits: {
        commandMemoryBytes: 2_147_483_648,
        commandTotalMemoryBytes: 4_294_967_296,
        commandProcesses: 4096,
        commandFileBytes: 1_073_741_824,
        commandTmpBytes: 536_870_912,
        commandDiskReserveBytes: 1_073_741_824,
      },
    })
  })

  it('are named in an error', () => {
    expect(() => read('--command-timeout=0')).toThrow(
      '--command-timeout must be a whole number from 1 to 86400, not "0".',
    )
    expect(() => read('--command-network', 'some')).toThrow('must be none or open')
  })

  it('open the network to commands only if the server requires tokens', async () => {
    const open = settings.parse({ commandNetwork: 'open', limits: {} })
    const create = async (requiresToken: boolean) =>
      coding.create({ ...testServices(), requiresToken, settings: open })

    await expect(create(false)).rejects.toThrow(
      'commandNetwork open lets commands call this server, which asks for no token on loopback',
    )
    await expect(create(true)).resolves.toMatchObject({ agent: { id: 'coding' } })
  })
})
