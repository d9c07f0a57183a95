import * as conventions from '@opentelemetry/semantic-conventions/incubating'
import { describe, expect, it } from 'vitest'

import { metricNames, attributeNames, splitModelName } from './attribute-names.ts'

describe('attribute names', () => {
  it('match the OpenTelemetry conventions', () => {
    const names = new Set<unknown>(Object.values(conventions))

    expect(
      [...Object.values(attributeNames), ...Object.values(metricNames)].filter((name) => !names.has(name)),
    ).toEqual([])
  })

  it.each([
    ['anthropic:claude-x', { provider: 'anthropic', model: 'claude-x' }],
    ['google:gemini-x', { provider: 'gcp.gemini', model: 'gemini-x' }],
    ['ollama:qwen3:8b', { provider: 'ollama', model: 'qwen3:8b' }],
    ['offline', { provider: 'offline', model: 'offline' }],
  ])('split the provider from the model: %s', (name, parted) => {
    expect(splitModelName(name)).toEqual(parted)
  })
})
