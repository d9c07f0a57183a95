import { setTimeout as wait } from 'node:timers/promises'

import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
} from '@ai-sdk/provider'

import { estimateTokens, type Json } from '../../events/index.ts'
import { answerTo, type Answer } from './answer.ts'
import type { DemoScript, DemoTool } from './script.ts'

/** The size of a model's deltas: a word, or a few characters of Chinese. Joined, the pieces are the text. */
const PIECE = /\s*(?:\p{Script=Han}{1,2}|[^\s\p{Script=Han}]{1,24})|\s+/gu

/**
 * The model that answers if none is configured, by one agent's script. The same call gives the same parts. Only `pace`
 * depends on time: tokens per second, or 0 for no pause.
 */
export function demoModel(script: DemoScript, { pace }: { readonly pace: number }): LanguageModelV4 {
  return {
    specificationVersion: 'v4',
    provider: 'dragoman',
    modelId: 'offline',
    supportedUrls: {},
    async doStream(options) {
      options.abortSignal?.throwIfAborted()
      const parts = streamParts(answerOf(options, script), options)
      return { stream: ReadableStream.from(paceParts(parts, pace, options.abortSignal)) }
    },
    async doGenerate(options) {
      options.abortSignal?.throwIfAborted()
      const answer = answerOf(options, script)
      const { reasoning, text, call } = answer
      const content: LanguageModelV4Content[] = [
        ...(reasoning === '' ? [] : [{ type: 'reasoning' as const, text: reasoning }]),
        ...(text === '' ? [] : [{ type: 'text' as const, text }]),
        ...(call ? [toolCall(call)] : []),
      ]
      return { content, ...endOf(answer, options), warnings: [] }
    },
  }
}

function answerOf(
  { prompt, tools, toolChoice, reasoning }: LanguageModelV4CallOptions,
  script: DemoScript,
): Answer {
  const offered = toolChoice?.type === 'none' ? [] : (tools ?? [])
  const answer = answerTo(prompt, offered.map(demoTool), script)
  return reasoning === 'none' ? { ...answer, reasoning: '' } : answer
}

function demoTool(tool: NonNullable<LanguageModelV4CallOptions['tools']>[number]): DemoTool {
  return { name: tool.name, inputSchema: tool.type === 'function' ? (tool.inputSchema as Json) : {} }
}

function* streamParts(
  answer: Answer,
  options: LanguageModelV4CallOptions,
): Generator<LanguageModelV4StreamPart> {
  yield { type: 'stream-start', warnings: [] }
  yield { type: 'response-metadata', id: 'offline', modelId: 'offline' }
  for (const kind of ['reasoning', 'text'] as const) {
    const id = `${kind}_1`
    if (answer[kind] === '') continue
    yield { type: `${kind}-start`, id }
    for (const [delta] of answer[kind].matchAll(PIECE)) yield { type: `${kind}-delta`, id, delta }
    yield { type: `${kind}-end`, id }
  }
  if (answer.call) {
    const { id, tool, input } = answer.call
    yield { type: 'tool-input-start', id, toolName: tool }
    for (const [delta] of input.matchAll(PIECE)) yield { type: 'tool-input-delta', id, delta }
    yield { type: 'tool-input-end', id }
    yield toolCall(answer.call)
  }
  yield { type: 'finish', ...endOf(answer, options) }
}

function toolCall({ id, tool, input }: NonNullable<Answer['call']>) {
  return { type: 'tool-call' as const, toolCallId: id, toolName: tool, input }
}

function endOf({ reasoning, text, call }: Answer, { prompt, tools }: LanguageModelV4CallOptions) {
  const read = estimateTokens(JSON.stringify(prompt) + JSON.stringify(tools ?? []))
  const output = { reasoning: estimateTokens(reasoning), text: estimateTokens(text + (call?.input ?? '')) }
  const usage: LanguageModelV4Usage = {
    inputTokens: { total: read, noCache: read, cacheRead: undefined, cacheWrite: undefined },
    outputTokens: { total: output.reasoning + output.text, ...output },
  }
  const reason = call ? ('tool-calls' as const) : ('stop' as const)
  return { usage, finishReason: { unified: reason, raw: reason } }
}

/** Pauses before each piece as long as its tokens take. An abort ends the stream at once, with the signal's reason. */
async function* paceParts(
  parts: Iterable<LanguageModelV4StreamPart>,
  pace: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<LanguageModelV4StreamPart> {
  for (const part of parts) {
    if (pace > 0 && 'delta' in part) await pause((estimateTokens(part.delta) * 1000) / pace, signal)
    signal?.throwIfAborted()
    yield part
  }
}

async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await wait(ms, undefined, { signal })
  } catch (error) {
    // The timer's own words for an abort say less than the signal's reason, which the caller throws next.
    if (!signal?.aborted) throw error
  }
}
