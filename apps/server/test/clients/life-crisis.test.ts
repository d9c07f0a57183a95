import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'

import { scriptedModel } from '../../../../test/support/scripted-model.ts'
import { openServer, type TestServer } from '../../../../test/support/server.ts'
import { warnsOfNothing } from '../../../../test/clients/ag-ui-agent.ts'
import { lifeClients } from './life-clients.ts'
import { bundledAgents } from '../../src/main.ts'

const { models, prompts } = scriptedModel([])
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

describe.each(Object.entries(lifeClients))('a message that mentions self-harm, by %s', (name, open) => {
  it('is answered with help without quota and without a model', async () => {
    const page = await open(server.url, `${name} in danger`)
    try {
      const { words } = await page.say('我真的不想活了，今晚就想结束')

      expect(words).toContain('12356')
      expect(words).toContain('你不必一个人扛')
      expect(prompts).toEqual([])
    } finally {
      page.close?.()
    }
  })
})
