import { afterEach, describe, expect, it } from 'vitest'

import { scriptedModel, says, step } from '../support/scripted-model.ts'
import { openServer, type TestServer } from '../support/server.ts'

const WORKERS = 16
const ROUNDS = 8

describe('threads deleted during run starts', () => {
  let server: TestServer
  afterEach(() => server[Symbol.asyncDispose]())

  it('cause no unhandled rejection, and accept the next message', { timeout: 60_000 }, async () => {
    const rejections: unknown[] = []
    const note = (reason: unknown): void => void rejections.push(reason)
    process.on('unhandledRejection', note)
    const script = Array.from({ length: WORKERS * ROUNDS + 4 }, () => step(says('Done.')))
    const toolsFor = async () => {
      await new Promise((resolve) => setImmediate(resolve))
      return { tools: [], notes: [] }
    }
    server = await openServer({ models: scriptedModel(script).models, capability: { toolsFor } })
    const call = async (method: string, path: string, body?: object): Promise<number> => {
      const json = body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
      const response = await fetch(`${server.url}${path}`, { method, ...json })
      await response.arrayBuffer()
      return response.status
    }
    const acts = [
      (name: string) => call('POST', '/v1/threads', { agent: 'jobs', name }),
      (name: string) =>
        call('POST', `/v1/threads/${name}/runs`, { message: 'hello', policy: 'interrupt', stream: false }),
      (name: string) => call('DELETE', `/v1/threads/${name}`),
    ]
    const work = async (worker: number): Promise<number[]> => {
      const statuses: number[] = []
      for (let round = 0; round < ROUNDS; round += 1) {
        const act = acts[(worker + round * 7 + ((round * worker) % 5)) % acts.length]
        statuses.push((await act?.(`thread-${worker % 4}`)) ?? 0)
      }
      return statuses
    }

    const statuses = (await Promise.all(Array.from({ length: WORKERS }, (_, worker) => work(worker)))).flat()

    await new Promise((resolve) => setImmediate(resolve))
    process.off('unhandledRejection', note)
    expect(rejections).toEqual([])
    expect(statuses).toContain(200)
    expect(statuses.filter((status) => status >= 500)).toEqual([])
    for (let thread = 0; thread < 4; thread += 1) {
      await call('POST', '/v1/threads', { agent: 'jobs', name: `thread-${thread}` })
      const runs = `/v1/threads/thread-${thread}/runs`
      expect(await call('POST', runs, { message: 'hello', policy: 'interrupt', stream: false })).toBe(200)
    }
  })
})
