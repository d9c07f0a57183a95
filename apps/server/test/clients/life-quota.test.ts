import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'

import { client } from '../../../../test/support/http.ts'
import { says, scriptedModel, step } from '../../../../test/support/scripted-model.ts'
import { openServer, type TestServer } from '../../../../test/support/server.ts'
import { warnsOfNothing } from '../../../../test/clients/ag-ui-agent.ts'
import { lifeClients } from './life-clients.ts'
import { bundledAgents } from '../../src/main.ts'

const { models, prompts } = scriptedModel([step(says('好。'))])
let home = ''
let server: TestServer
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'dragoman-test-'))
  const quotas = { rules: [{ user: 'local', period: 'daily', runs: 0 }] }
  await writeFile(join(home, 'config.yaml'), JSON.stringify({ quotas }))
  server = await openServer({ models, agents: bundledAgents, home })
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await rm(home, { recursive: true })
})

warnsOfNothing()
afterEach(() => {
  vi.unstubAllGlobals()
})

describe.each(Object.entries(lifeClients))('a user without quota of the life agent, by %s', (name, open) => {
  it('sees the error and the reset time before any run', async () => {
    const page = await open(server.url, name)
    try {
      await expect(page.say('你好')).rejects.toThrow(
        /You have used all that you have for today: 0 messages\. There is more from \d{4}-\d{2}-\d{2}/,
      )
      expect(prompts).toEqual([])
      const { body } = await client(server).json('GET', '/life/chat/conversations')
      expect(JSON.stringify(body)).not.toContain('你好')
    } finally {
      page.close?.()
    }
  })
})
