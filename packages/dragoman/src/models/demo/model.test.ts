import type { LanguageModelV4CallOptions, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { describe, expect, it } from 'vitest'

import { demoModel } from './index.ts'
import { script } from './script.fixture.ts'

function ask(text: string, options: Partial<LanguageModelV4CallOptions> = {}): LanguageModelV4CallOptions {
  return {
    prompt: [{ role: 'user', content: [{ type: 'text', text }] }],
    tools: [{ type: 'function', name: 'weather', inputSchema: { type: 'object' } }],
    ...options,
  }
}

async function stream(options: LanguageModelV4CallOptions, pace = 0): Promise<LanguageModelV4StreamPart[]> {
  const result = await demoModel(script, { pace }).doStream(options)
  return Array.fromAsync(result.stream)
}

const types = (parts: readonly LanguageModelV4StreamPart[]): string[] => {
  const all = parts.map((part) => part.type)
  return all.filter((type, at) => type !== all[at - 1])
}

const joinDeltas = (parts: readonly LanguageModelV4StreamPart[], type: string): string =>
  parts.map((part) => (part.type === type && 'delta' in part ? part.delta : '')).join('')

describe('the stream of the demo model', () => {
  it('thinks, then calls the tool with input that grows to what it is called with', async () => {
    const parts = await stream(ask('看看奥斯陆的天气'))

    expect(types(parts)).toEqual([
      'stream-start',
      'response-metadata',
      'reasoning-start',
      'reasoning-delta',
      'reasoning-end',
      'tool-input-start',
      'tool-input-delta',
      'tool-input-end',
      'tool-call',
      'finish',
    ])
    const input = joinDeltas(parts, 'tool-input-delta')
    expect(JSON.parse(input)).toEqual({ city: '奥斯陆' })
    expect(parts.find((part) => part.type === 'tool-call')).toMatchObject({
      toolCallId: 'demo_call_1',
      input,
    })
    expect(parts.at(-1)).toMatchObject({ finishReason: { unified: 'tool-calls' } })
  })

  it('says its text in many small pieces and stops', async () => {
    const parts = await stream(ask('What is snow?'))

    expect(parts.filter((part) => part.type === 'text-delta').length).toBeGreaterThan(20)
    expect(joinDeltas(parts, 'text-delta')).toMatch(/^Frozen water\.\n\nI am dragoman's demo model/)
    expect(parts.at(-1)).toMatchObject({ finishReason: { unified: 'stop' } })
  })

  it('counts tokens: four Latin letters or one Chinese character each', async () => {
    const finish = (await stream(ask('看看奥斯陆的天气'))).at(-1)

    const reasoning = '我来调用。'.length + Math.ceil(' weather'.length / 4)
    const text = 3 + Math.ceil('{"city":""}'.length / 4)
    expect(finish).toMatchObject({
      usage: {
        inputTokens: { cacheRead: undefined },
        outputTokens: { total: reasoning + text, reasoning, text },
      },
    })
  })

  it('keeps its thoughts to itself when asked to', async () => {
    const parts = await stream(ask('What is the weather in Oslo?', { reasoning: 'none' }))

    expect(types(parts)).not.toContain('reasoning-start')
  })

  it('is the same, part for part, each time', async () => {
    for (const words of ['what is the weather in Oslo?', '讲个笑话']) {
      expect(await stream(ask(words))).toEqual(await stream(ask(words), 100_000))
    }
  })

  it('is what doGenerate gives at once', async () => {
    for (const words of ['what is the weather in Oslo?', 'What is snow?']) {
      const parts = await stream(ask(words))
      const { content, usage, finishReason } = await demoModel(script, { pace: 1 }).doGenerate(ask(words))

      const kinds = ['reasoning', 'text'] as const
      for (const kind of kinds) {
        const text = content.flatMap((part) => (part.type === kind ? [part.text] : [])).join('')
        expect(text).toBe(joinDeltas(parts, `${kind}-delta`))
      }
      expect(content.filter((part) => part.type === 'tool-call')).toEqual(
        parts.filter((part) => part.type === 'tool-call'),
      )
      expect(parts.at(-1)).toEqual({ type: 'finish', usage, finishReason })
    }
  })
})

describe('its pace', () => {
  it('takes as long as its tokens', async () => {
    const start = performance.now()
    const finish = (await stream(ask('what is the weather in Oslo?'), 500)).at(-1)

    const tokens = finish?.type === 'finish' ? (finish.usage.outputTokens.total ?? 0) : 0
    expect(tokens).toBeGreaterThan(5)
    expect(performance.now() - start).toBeGreaterThanOrEqual((tokens * 1000) / 500 - 20)
  })

  it('ends at once when aborted in the middle of a pause', async () => {
    const stop = new AbortController()
    const { stream: slow } = await demoModel(script, { pace: 0.01 }).doStream(
      ask('What is snow?', { abortSignal: stop.signal }),
    )
    const parts: string[] = []
    const reading = (async () => {
      for await (const part of slow) {
        parts.push(part.type)
        // From here on, the first piece is a hundred seconds away.
        if (part.type === 'text-start') setImmediate(() => stop.abort(new Error('stopped by ada')))
      }
    })()

    await expect(reading).rejects.toThrow('stopped by ada')
    expect(parts).toEqual(['stream-start', 'response-metadata', 'text-start'])
  })

  it('does not begin for a signal that is aborted already', async () => {
    const options = ask('What is snow?', { abortSignal: AbortSignal.abort(new Error('too late')) })

    await expect(demoModel(script, { pace: 0 }).doStream(options)).rejects.toThrow('too late')
    await expect(demoModel(script, { pace: 0 }).doGenerate(options)).rejects.toThrow('too late')
  })
})
