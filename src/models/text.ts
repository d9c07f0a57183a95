import type { ModelChoice } from './choice.ts'

/** A name or a line needs few; a model that thinks first needs more. */
const MOST_TOKENS = 1000

/** What a model says to something, outside of any run. @throws ServiceError where it fails */
export async function textFrom(
  choice: ModelChoice,
  { instructions, text }: { readonly instructions: string; readonly text: string },
  signal: AbortSignal,
): Promise<string> {
  try {
    const model = await choice.load()
    const { stream } = await model.doStream({
      prompt: [
        { role: 'system', content: instructions },
        { role: 'user', content: [{ type: 'text', text }] },
      ],
      maxOutputTokens: MOST_TOKENS,
      abortSignal: signal,
    })
    let said = ''
    for await (const part of stream) {
      signal.throwIfAborted()
      if (part.type === 'error') throw part.error
      if (part.type === 'text-delta') said += part.delta
    }
    return said
  } catch (error) {
    throw choice.failure(error)
  }
}
