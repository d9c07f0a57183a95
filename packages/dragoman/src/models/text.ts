import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Prompt,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
} from '@ai-sdk/provider'

import { estimateTokens, readTokens, readUsage, type Usage } from '../events/index.ts'
import type { ModelChoice } from './choice.ts'

/** A name or a line needs few; a model that thinks first needs more. */
const MOST_TOKENS = 1000

export type Asking = {
  readonly instructions: string
  readonly text: string
  readonly mostTokens?: number
  /** What else is said after the first answer. */
  readonly more?: LanguageModelV4Prompt
  readonly responseFormat?: LanguageModelV4CallOptions['responseFormat']
}

/** What a model says to something, apart from any conversation. `count` is told what it used. @throws ServiceError where it fails */
export async function textFrom(
  choice: ModelChoice,
  { instructions, text, mostTokens = MOST_TOKENS, more = [], responseFormat }: Asking,
  signal: AbortSignal,
  count: (usage: Usage) => void = () => undefined,
): Promise<string> {
  try {
    const model = await choice.load()
    const { stream } = await model.doStream({
      prompt: [
        { role: 'system', content: instructions },
        { role: 'user', content: [{ type: 'text', text }] },
        ...more,
      ],
      maxOutputTokens: mostTokens,
      abortSignal: signal,
      ...(responseFormat && { responseFormat }),
    })
    const heard: Heard = { said: '', used: undefined }
    await hear(stream, heard, signal).finally(() => count(usageOf(heard, instructions + text)))
    return heard.said
  } catch (error) {
    if (signal.aborted) throw signal.reason
    throw choice.failure(error)
  }
}

type Heard = { said: string; used: LanguageModelV4Usage | undefined }

async function hear(
  stream: ReadableStream<LanguageModelV4StreamPart>,
  heard: Heard,
  signal: AbortSignal,
): Promise<void> {
  for await (const part of stream) {
    signal.throwIfAborted()
    if (part.type === 'error') throw part.error
    if (part.type === 'text-delta') heard.said += part.delta
    if (part.type === 'finish') heard.used = part.usage
  }
}

/** What was cut off, or is not told, is an estimate. */
function usageOf({ said, used }: Heard, asked: string): Usage {
  const { inputTokens: input, outputTokens: output } = used ?? {}
  if (readTokens(input?.total) === undefined && readTokens(output?.total) === undefined) {
    return { inputTokens: estimateTokens(asked), outputTokens: estimateTokens(said), estimated: true }
  }
  return readUsage({
    inputTokens: input?.total,
    outputTokens: output?.total,
    cachedInputTokens: input?.cacheRead,
  })
}
