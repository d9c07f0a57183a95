import { setTimeout as pause } from 'node:timers/promises'

import type { LanguageModelV4, LanguageModelV4Prompt, LanguageModelV4StreamPart } from '@ai-sdk/provider'

import { isJsonObject, type Json } from '../packages/dragoman/src/events/index.ts'
import { ServiceError, type Models } from '../packages/dragoman/src/index.ts'
import { promptMistake } from './prompt-mistake.ts'
import { BROKEN, textOf, thoughtOf, toStory, wholeText, type Story, type StoryCall } from './story.ts'

/**
 * A stateless model. Its next output follows from the prompt: the story, the text so far and the calls so far. It
 * continues after any cut, and missing or repeated words show.
 */
const storyModel: LanguageModelV4 = {
  specificationVersion: 'v4',
  provider: 'chaos',
  modelId: 'teller',
  supportedUrls: {},
  async doStream({ prompt, abortSignal }) {
    abortSignal?.throwIfAborted()
    const mistake = promptMistake(prompt)
    if (mistake !== undefined) throw refusal(`The prompt is none that a provider takes: ${mistake}.`)
    return { stream: ReadableStream.from(streamParts(nextOutput(prompt), abortSignal)) }
  },
  async doGenerate() {
    throw refusal('The teller only streams.')
  },
}

const choice = {
  name: 'chaos:teller',
  why: 'It is the chaos suite.',
  load: async () => storyModel,
  failure: (error: unknown) =>
    error instanceof ServiceError ? error : new ServiceError('model-failed', String(error), { cause: error }),
}

export const models: Models = { choose: () => choice }

function refusal(words: string): ServiceError {
  return new ServiceError('model-failed', words)
}

/** The rest of a step. */
export type NextOutput = {
  readonly pace: number
  readonly thought: string
  readonly text: string
  readonly calls: readonly StoryCall[]
  readonly breaks: boolean
}

/** @throws ServiceError if the prompt's text differs from the story */
export function nextOutput(prompt: LanguageModelV4Prompt): NextOutput {
  const { story, since } = lastStory(prompt)
  const assistantParts = since.flatMap((message) => (message.role === 'assistant' ? message.content : []))
  const text = assistantParts.map((part) => (part.type === 'text' ? part.text : '')).join('')
  if (!wholeText(story).startsWith(text)) throw refusal(`I never said "${text}".`)
  const called = new Set(
    assistantParts.flatMap((part) => (part.type === 'tool-call' ? placeOf(part.input as Json) : [])),
  )

  let begin = 0
  for (const [index, step] of story.steps.entries()) {
    const whole = textOf(story, index)
    const rest = whole.slice(Math.max(0, text.length - begin))
    const calls = step.calls.filter(({ place }) => !called.has(place))
    const isFresh = rest === whole && calls.length === step.calls.length
    const breaks = step.breaks ?? false
    if (rest !== '' || calls.length > 0 || breaks)
      return { pace: story.pace, thought: isFresh ? thoughtOf(story, index) : '', text: rest, calls, breaks }
    begin += whole.length
  }
  return { pace: story.pace, thought: '', text: '', calls: [], breaks: false }
}

function lastStory(prompt: LanguageModelV4Prompt): { story: Story; since: LanguageModelV4Prompt } {
  for (let at = prompt.length - 1; at >= 0; at--) {
    const message = prompt[at]
    const parts = message?.role === 'user' ? message.content : []
    for (const part of parts) {
      const story = part.type === 'text' ? toStory(part.text) : undefined
      if (story) return { story, since: prompt.slice(at + 1) }
    }
  }
  throw refusal('Nobody has asked for a story.')
}

function placeOf(input: Json): string[] {
  const place = isJsonObject(input) ? input['place'] : undefined
  return typeof place === 'string' ? [place] : []
}

async function* streamParts(
  { pace, thought, text, calls, breaks }: NextOutput,
  signal: AbortSignal | undefined,
): AsyncGenerator<LanguageModelV4StreamPart> {
  yield { type: 'stream-start', warnings: [] }
  const streamPart = async function* (kind: 'text' | 'reasoning', words: string) {
    if (words === '') return
    yield { type: `${kind}-start`, id: kind } as const
    for (const delta of pieces(words)) {
      await pause(pace, undefined, { signal })
      yield { type: `${kind}-delta`, id: kind, delta } as const
    }
    yield { type: `${kind}-end`, id: kind } as const
  }
  yield* streamPart('reasoning', thought)
  yield* streamPart('text', text)
  for (const { tool, ...rest } of calls) {
    const input = JSON.stringify(rest)
    const id = rest.place
    yield { type: 'tool-input-start', id, toolName: tool }
    for (const delta of pieces(input)) {
      await pause(pace, undefined, { signal })
      yield { type: 'tool-input-delta', id, delta }
    }
    yield { type: 'tool-input-end', id }
    yield { type: 'tool-call', toolCallId: id, toolName: tool, input }
  }
  if (breaks) throw refusal(BROKEN)
  yield finishPart(calls.length > 0 ? 'tool-calls' : 'stop', thought.length + text.length)
}

function pieces(words: string): string[] {
  return words.match(/.{1,7}/gsu) ?? []
}

function finishPart(reason: 'tool-calls' | 'stop', letters: number): LanguageModelV4StreamPart {
  return {
    type: 'finish',
    finishReason: { unified: reason, raw: reason },
    usage: {
      inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
      outputTokens: { total: letters, text: letters, reasoning: undefined },
    },
  }
}
