import { describe, expect, it } from 'vitest'

import { configured, useChat } from '../support/configured.ts'
import { calls, says, step } from '../support/scripted-model.ts'

const house = configured()
const { as } = house

describe('usage', () => {
  it('is grouped by day, agent, model and tool, and outlives its thread', async () => {
    const { model } = await house.open({})
    model.play([step(calls('c1', 'nothing', {})), step(says('Done.')), step(says('Hi.'))])
    const ada = as('ada')
    await ada('POST', '/jobs/chat', useChat('chat-1'))
    const { headers } = await ada('POST', '/jobs/chat', useChat('chat-2'))
    const of = async (by: string) => (await ada('GET', `/v1/usage?by=${by}`)).json

    // On PostgreSQL, counts may be late.
    await expect.poll(async () => (await of('day'))['total']).toMatchObject({ runs: 2 })
    const days = await of('day')
    await ada('DELETE', `/v1/threads/${String(headers['x-conversation-id'])}`)

    const today = String(days['to'])
    const tokens = { inputTokens: 21, outputTokens: 15 }
    expect(days).toMatchObject({
      by: 'day',
      total: { runs: 2, ...tokens, toolCalls: 1, skillUses: 0 },
      groups: [{ name: today, runs: 2, ...tokens }],
    })
    expect((await of('month'))['groups']).toEqual([{ name: today.slice(0, 7), runs: 2, ...tokens }])
    expect((await of('agent'))['groups']).toEqual([{ name: 'jobs', runs: 2, ...tokens }])
    expect((await of('model'))['groups']).toEqual([{ name: 'scripted:model', runs: 2, times: 3, ...tokens }])
    expect((await of('tool'))['groups']).toEqual([
      { name: 'nothing', runs: 1, times: 1, inputTokens: 0, outputTokens: 0 },
    ])
    expect((await of('skill'))['groups']).toEqual([])
    expect((await as('bob')('GET', '/v1/usage')).json).toMatchObject({ total: { runs: 0 }, groups: [] })
    expect((await ada('GET', '/v1/quota')).json).toEqual({
      tier: 'unlimited',
      limits: [],
      storage: { used: expect.any(Number), limit: 1024 ** 3 },
    })
  })

  it.each([
    ['by=week', 'by: must be one of day, month, agent, model, skill, tool'],
    ['from=yesterday', 'from: must be a date like 2026-11-23'],
    ['from=2026-11-24&to=2026-11-23', 'from: must not be after to'],
    ['from=2020-01-01&to=2026-11-23', 'from: must be less than 400 days before to'],
  ])('rejects an invalid range of days: %s', async (query, sentence) => {
    await house.open({})

    const response = await as('ada')('GET', `/v1/usage?${query}`)

    expect([response.status, response.json['error']]).toEqual([400, expect.stringContaining(sentence)])
  })
})
