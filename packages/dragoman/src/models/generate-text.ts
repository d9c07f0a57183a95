import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Prompt,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
} from '@ai-sdk/provider'

import { estimateTokens, readTokens, readUsage, type Usage } from '../events/index.ts'
import type { ModelChoice } from './model-choice.ts'

/** A name or a line needs few; a model that thinks first needs more. */
const DEFAULT_MAX_OUTPUT_TOKENS = 1000

export type TextRequest = {
  readonly instructions: string
  readonly text: string
  readonly maxOutputTokens?: number
  /** Messages after the first answer. */
  readonly more?: LanguageModelV4Prompt
  readonly responseFormat?: LanguageModelV4CallOptions['responseFormat']
}

/** Generates a text outside any conversation. `count` gets the usage. @throws ServiceError if the model fails */
export async function generateText(
  choice: ModelChoice,
  { instructions, text, maxOutputTokens = DEFAULT_MAX_OUTPUT_TOKENS, more = [], responseFormat }: TextRequest,
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
      maxOutputTokens,
      abortSignal: signal,
      ...(responseFormat && { responseFormat }),
    })
    const output: TextOutput = { text: '', usage: undefined }
    await readStream(stream, output, signal).finally(() => count(usageOf(output, instructions + text)))
    return output.text
  } catch (error) {
    if (signal.aborted) throw signal.reason
    throw choice.failure(error)
  }
}

type TextOutput = { text: string; usage: LanguageModelV4Usage | undefined }

async function readStream(
  stream: ReadableStream<LanguageModelV4StreamPart>,
  output: TextOutput,
  signal: AbortSignal,
): Promise<void> {
  for await (const part of stream) {
    signal.throwIfAborted()
    if (part.type === 'error') throw part.error
    if (part.type === 'text-delta') output.text += part.delta
    if (part.type === 'finish') output.usage = part.usage
  }
}

/** The usage is estimated if the stream broke off or reported none. */
function usageOf({ text: outputText, usage }: TextOutput, inputText: string): Usage {
  const { inputTokens: input, outputTokens: output } = usage ?? {}
  if (readTokens(input?.total) === undefined && readTokens(output?.total) === undefined) {
    return {
      inputTokens: estimateTokens(inputText),
      outputTokens: estimateTokens(outputText),
      estimated: true,
    }
  }
  return readUsage({
    inputTokens: input?.total,
    outputTokens: output?.total,
    cachedInputTokens: input?.cacheRead,
  })
}
