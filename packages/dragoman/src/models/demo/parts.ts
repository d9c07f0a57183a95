import type { LanguageModelV4StreamPart, LanguageModelV4Usage } from '@ai-sdk/provider'

import { estimateTokens } from '../../events/index.ts'
import type { Call, Reply } from './reply.ts'

/** About what a model says at a time: a word, or a few characters of Chinese. Joined, the pieces are the text. */
const piece = /\s*(?:\p{Script=Han}{1,2}|[^\s\p{Script=Han}]{1,24})|\s+/gu

/** Writes a reply as a model streams it: reasoning, then text, then calls. */
export function* partsOf(reply: Reply, inputTokens: number): Generator<LanguageModelV4StreamPart> {
  yield { type: 'stream-start', warnings: [] }
  yield { type: 'response-metadata', id: 'offline', modelId: 'offline' }
  yield* spoken('reasoning', reply.reasoning)
  yield* spoken('text', reply.text)
  for (const call of reply.calls) yield* called(call)
  yield {
    type: 'finish',
    usage: usageOf(reply, inputTokens),
    finishReason:
      reply.calls.length > 0
        ? { unified: 'tool-calls', raw: 'tool-calls' }
        : { unified: 'stop', raw: 'stop' },
  }
}

function* spoken(kind: 'text' | 'reasoning', words: string): Generator<LanguageModelV4StreamPart> {
  if (words === '') return
  const id = `${kind}_1`
  yield { type: `${kind}-start`, id }
  for (const [delta] of words.matchAll(piece)) yield { type: `${kind}-delta`, id, delta }
  yield { type: `${kind}-end`, id }
}

function* called({ id, tool, input }: Call): Generator<LanguageModelV4StreamPart> {
  yield { type: 'tool-input-start', id, toolName: tool }
  for (const [delta] of input.matchAll(piece)) yield { type: 'tool-input-delta', id, delta }
  yield { type: 'tool-input-end', id }
  yield { type: 'tool-call', toolCallId: id, toolName: tool, input }
}

function usageOf({ reasoning, text, calls }: Reply, input: number): LanguageModelV4Usage {
  const spent = {
    reasoning: estimateTokens(reasoning),
    text: estimateTokens(text + calls.map((call) => call.input).join('')),
  }
  return {
    inputTokens: { total: input, noCache: input, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: spent.reasoning + spent.text, ...spent },
  }
}
