import { setTimeout as wait } from 'node:timers/promises'

import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4GenerateResult,
  LanguageModelV4StreamPart,
} from '@ai-sdk/provider'

import { estimateTokens } from '../../events/index.ts'
import { partsOf } from './parts.ts'
import { reply } from './reply.ts'
import type { DemoScript } from './script.ts'

/**
 * The model that answers where none is configured, by one agent's script. The same call gives the same parts. Only
 * `pace` depends on time: tokens per second, or 0 for no pause.
 */
export function demoModel(script: DemoScript, { pace }: { readonly pace: number }): LanguageModelV4 {
  return {
    specificationVersion: 'v4',
    provider: 'dragoman',
    modelId: 'offline',
    supportedUrls: {},
    async doStream(options) {
      options.abortSignal?.throwIfAborted()
      return { stream: ReadableStream.from(paced(parts(options, script), pace, options.abortSignal)) }
    },
    async doGenerate(options) {
      options.abortSignal?.throwIfAborted()
      return folded(parts(options, script))
    },
  }
}

function parts(options: LanguageModelV4CallOptions, script: DemoScript): Iterable<LanguageModelV4StreamPart> {
  const said = reply(options, script)
  return partsOf(options.reasoning === 'none' ? { ...said, reasoning: '' } : said, countPrompt(options))
}

/** Pauses before each piece as long as its tokens take. An abort ends the stream at once, with the signal's reason. */
async function* paced(
  all: Iterable<LanguageModelV4StreamPart>,
  pace: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<LanguageModelV4StreamPart> {
  for (const part of all) {
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

/** What a whole stream comes to, for those who do not read it piece by piece. */
function folded(all: Iterable<LanguageModelV4StreamPart>): LanguageModelV4GenerateResult {
  const content: LanguageModelV4Content[] = []
  for (const part of all) {
    switch (part.type) {
      case 'text-start':
        content.push({ type: 'text', text: '' })
        break
      case 'reasoning-start':
        content.push({ type: 'reasoning', text: '' })
        break
      case 'text-delta':
      case 'reasoning-delta':
        lengthen(content, part.delta)
        break
      case 'tool-call':
        content.push(part)
        break
      case 'finish': {
        const response = { id: 'offline', modelId: 'offline' }
        return { content, finishReason: part.finishReason, usage: part.usage, warnings: [], response }
      }
      default:
    }
  }
  throw new TypeError('The stream of the demo model has no finish part.')
}

function lengthen(content: LanguageModelV4Content[], delta: string): void {
  const last = content.at(-1)
  if (last?.type === 'text' || last?.type === 'reasoning') last.text += delta
}

function countPrompt({ prompt, tools }: LanguageModelV4CallOptions): number {
  return (
    estimateTokens(prompt.map(({ content }) => JSON.stringify(content)).join('')) +
    estimateTokens(JSON.stringify(tools ?? []))
  )
}
