import { createNoopMeter, type Attributes, type Histogram } from '@opentelemetry/api'
import { expect, it } from 'vitest'

import type { Run } from 'dragoman/events'
import type { ModelCallActivity } from 'dragoman/observability'
import { createMeters } from './meters.ts'

const usage = { inputTokens: 1, outputTokens: 1 }

it('keeps the names of models on callers’ own keys out of the labels', () => {
  const names = new Set<unknown>()
  const record = (_value: number, labels: Attributes = {}): void =>
    void names.add(labels['gen_ai.request.model'])
  const histogram: Histogram = { record }
  const meter = Object.assign(createNoopMeter(), { createHistogram: () => histogram })
  const meters = createMeters(meter, {
    live: () => 0,
    waiting: async () => 0,
    backlog: async () => ({ unpacked: 0, overdueMs: 0 }),
    damagedReads: () => 0,
    isDatabaseAway: () => false,
    load: () => [],
  })
  const call = (model: string, ownKey: boolean): void => {
    const chat: ModelCallActivity = { type: 'chat', step: 1, model, start: 0, end: 1, usage }
    meters.done({ agent: 'assistant', request: ownKey ? { ownKey } : {} } as unknown as Run, chat)
  }

  for (let n = 0; n < 1000; n += 1) call(`openai:made-up-${n}`, true)
  call('openai:gpt', false)
  meters.close()

  expect([...names]).toEqual(['other', 'gpt'])
})
