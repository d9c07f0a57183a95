import { describe, expect, it } from 'vitest'

import { startCollector } from './support/collector.ts'
import { chatRequest, client } from './support/http.ts'
import { says, scriptedModel, step } from './support/scripted-model.ts'
import { openServer } from './support/server.ts'

describe('a collector', () => {
  it.each(['refuses', 'is silent'])('that %s holds up neither a run nor the end', async (how) => {
    await using house = await startCollector(() => (how === 'refuses' ? 503 : 'nothing'))
    const { models } = scriptedModel([step(says('Hello.'))])
    const server = await openServer({
      models,
      env: { OTEL_EXPORTER_OTLP_ENDPOINT: house.url, OTEL_BSP_SCHEDULE_DELAY: '1' },
    })
    const answer = await client(server).post('/jobs/chat', chatRequest('hi'))
    const text = await answer.text()
    await expect.poll(() => house.requests.length, { interval: 10, timeout: 10_000 }).toBeGreaterThan(0)
    const startedAt = performance.now()
    await server[Symbol.asyncDispose]()

    expect(text).toContain('Hello.')
    expect(performance.now() - startedAt).toBeLessThan(6000)
  })

  it('is not needed for a server whose metrics are off', async () => {
    await using server = await openServer({ models: scriptedModel().models })

    expect(await client(server).json('GET', '/metrics')).toMatchObject({
      status: 404,
      body: { error: expect.stringContaining('--metrics') },
    })
  })
})
