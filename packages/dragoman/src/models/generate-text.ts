import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Prompt,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
} from '@ai-sdk/provider'

import { estimateTokens, type CallMeter, type CallStart, type Usage } from '../events/index.ts'
import type { ModelChoice } from './model-choice.ts'
import { readModelUsage } from './read-model-usage.ts'

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

/** Generates a text outside any conversation. `meter` counts the calls. @throws ServiceError if the model fails */
export async function generateText(
  choice: ModelChoice,
  { instructions, text, maxOutputTokens = DEFAULT_MAX_OUTPUT_TOKENS, more = [], responseFormat }: TextRequest,
  signal: AbortSignal,
  meter: CallMeter,
): Promise<string> {
  const last = rememberLast(meter)
  try {
    const model = await choice.load(undefined, undefined, last)
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
    await readStream(stream, output, signal).finally(() => last.setCost((call) => usageOf(output, call)))
    return output.text
  } catch (error) {
    if (signal.aborted) throw signal.reason
    throw choice.failure(error)
  }
}

/** Remembers the call that is answered: the one that was made last. */
function rememberLast(meter: CallMeter): CallMeter & { setCost(of: (call: CallStart) => Usage): void } {
  let setCost = (_of: (call: CallStart) => Usage): void => undefined
  return {
    charge(call) {
      const replace = meter.charge(call)
      setCost = (of) => replace(of(call))
      return replace
    },
    get hasRoom() {
      return meter.hasRoom !== false
    },
    setCost: (of) => setCost(of),
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
function usageOf({ text, usage }: TextOutput, { inputTokens }: CallStart): Usage {
  return readModelUsage(usage) ?? { inputTokens, outputTokens: estimateTokens(text), estimated: true }
}
