import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { expect, it } from 'vitest'

import { client } from '../../../../test/support/http.ts'
import { scriptedModel } from '../../../../test/support/scripted-model.ts'
import { openServer } from '../../../../test/support/server.ts'
import { bundledAgents } from '../../src/main.ts'
import { createTempDir } from '../../../../test/support/create-temp-dir.ts'

/** No prefix of one is a prefix of another word: the index shortens what its neighbors share. */
const SECRETS = ['zebraquux7781', 'qwyjibo4423', 'xanthophyll', 'vexillology9', '彁駲']
const TRACES = SECRETS.map((secret) => Buffer.from(secret))

it('erases the text of a deleted posting from the database files', async () => {
  const home = await createTempDir()
  const server = await openServer({ models: scriptedModel().models, agents: bundledAgents, home })
  const { json } = client(server)
  const create = async (n: number, words: string): Promise<string> => {
    const posting = {
      title: `Engineer ${words}`,
      company: `Company ${words}`,
      location: words,
      description: `${words} ${'and so on '.repeat(200)}`,
    }
    const { body } = await json('POST', '/jobs', { ...posting, url: `https://jobs.example/${n}` })
    return String((body['job'] as { id: number }).id)
  }
  for (let n = 0; n < 60; n++) await create(n, `harmless ${n}`)
  const id = await create(99, SECRETS.join(' '))
  const find = async (q: string): Promise<number> => {
    const { body } = await json('GET', `/jobs?search=${q}`)
    return (body['jobs'] as unknown[]).length
  }
  await expect.poll(() => find('zebraquux7781')).toBe(1)

  expect((await json('DELETE', `/jobs/${id}`)).status).toBeLessThan(300)
  expect(await find('harmless')).toBeGreaterThan(0)
  await server[Symbol.asyncDispose]()

  const found: string[] = []
  for (const name of await readdir(home)) {
    const bytes = await readFile(join(home, name))
    found.push(
      ...TRACES.filter((trace) => bytes.includes(trace)).map((trace) => `${name}: ${trace.toString()}`),
    )
  }
  expect(found).toEqual([])
})
