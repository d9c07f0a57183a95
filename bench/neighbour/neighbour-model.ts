import { setTimeout as pause } from 'node:timers/promises'

import type { LanguageModelV4, LanguageModelV4Prompt, LanguageModelV4StreamPart } from '@ai-sdk/provider'

import { ServiceError, type Models } from '../../packages/dragoman/src/index.ts'

/** What a message contains for the model to answer in its own way. Other messages get some words at a usual pace. */
export const ANSWERS = {
  /** As many bytes as a run may have, as fast as they are taken. */
  text: 'SAY MUCH',
  /** Words at a usual pace for many seconds. */
  slow: 'SAY SLOWLY',
  /** As many calls as a step may have. */
  calls: 'CALL OFTEN',
  /** A call whose input has very many mistakes. */
  mistakes: 'CALL WRONGLY',
} as const

const WORDS = 10
const PACE_MS = 30
const CALLS = 128
/** The largest input that a call may have. */
const MANY_MISTAKES = `{"expression":[${Array(240_000).fill('"x"').join(',')}]}`
const EXPRESSION = '{"expression":"factorial(900) / factorial(880)"}'

const usage = {
  inputTokens: { total: 10, noCache: 10, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: WORDS, text: WORDS, reasoning: undefined },
}

const neighbourModel: LanguageModelV4 = {
  specificationVersion: 'v4',
  provider: 'bench',
  modelId: 'neighbour',
  supportedUrls: {},
  doStream: async ({ prompt, abortSignal }) => ({
    stream: ReadableStream.from(answer(prompt, abortSignal)),
  }),
  doGenerate: () => Promise.reject(new Error('The bench streams.')),
}

const choice = {
  name: 'bench:neighbour',
  why: 'It is the bench.',
  load: async () => neighbourModel,
  failure: (error: unknown) =>
    error instanceof ServiceError ? error : new ServiceError('model-failed', 'The model failed.'),
}

export const models: Models = { choose: () => choice }

async function* answer(
  prompt: LanguageModelV4Prompt,
  signal: AbortSignal | undefined,
): AsyncGenerator<LanguageModelV4StreamPart> {
  yield { type: 'stream-start', warnings: [] }
  const message = lastMessage(prompt)
  const callsTool = prompt.at(-1)?.role === 'user'
  if (callsTool && message.includes(ANSWERS.calls)) yield* calls(EXPRESSION, CALLS)
  else if (callsTool && message.includes(ANSWERS.mistakes)) yield* calls(MANY_MISTAKES, 1)
  else if (message.includes(ANSWERS.text)) yield* speech('word '.repeat(800), { pieces: 10_000, signal })
  else if (message.includes(ANSWERS.slow)) yield* speech('word ', { pieces: 2000, paceMs: PACE_MS, signal })
  else yield* speech('word ', { pieces: WORDS, paceMs: PACE_MS, signal })
}

type Speech = { readonly pieces: number; readonly paceMs?: number; readonly signal: AbortSignal | undefined }

async function* speech(
  delta: string,
  { pieces, paceMs, signal }: Speech,
): AsyncGenerator<LanguageModelV4StreamPart> {
  yield { type: 'text-start', id: 't' }
  for (let count = 0; count < pieces; count++) {
    if (count > 0 && paceMs !== undefined) await pause(paceMs, undefined, { signal })
    yield { type: 'text-delta', id: 't', delta }
  }
  yield { type: 'text-end', id: 't' }
  yield { type: 'finish', finishReason: { unified: 'stop', raw: 'stop' }, usage }
}

function* calls(input: string, count: number): Generator<LanguageModelV4StreamPart> {
  for (let number = 0; number < count; number++) {
    const id = `call-${number}`
    yield { type: 'tool-input-start', id, toolName: 'calculate' }
    yield { type: 'tool-input-delta', id, delta: input }
    yield { type: 'tool-input-end', id }
    yield { type: 'tool-call', toolCallId: id, toolName: 'calculate', input }
  }
  yield { type: 'finish', finishReason: { unified: 'tool-calls', raw: 'tool-calls' }, usage }
}

/** The end of the user's last message: what is before it may be long. */
function lastMessage(prompt: LanguageModelV4Prompt): string {
  const last = prompt.findLast(({ role }) => role === 'user')
  const parts = last?.role === 'user' ? last.content : []
  return parts.map((part) => (part.type === 'text' ? part.text.slice(0, 100) : '')).join(' ')
}
