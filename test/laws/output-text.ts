import { isJsonObject, type AssistantMessage, type Json } from '../../packages/dragoman/src/events/index.ts'

/** What the output of a call says to its reader. */
export function wordsOf(output: Json | undefined): string | undefined {
  if (output === undefined || typeof output === 'string') return output
  const { text, error } = isJsonObject(output) ? output : {}
  const words = [error, text].find((each) => typeof each === 'string')
  return words ?? JSON.stringify(output)
}

/**
 * With the words that a reader finds in the outputs that the client gave: it has them as it gave them. `read` is how
 * its format tells them.
 */
export function asGiven(message: AssistantMessage, read = (output: Json): Json => output): AssistantMessage {
  const parts = message.parts.map((part) => {
    if (part.type !== 'tool' || part.state !== 'returned' || part.answer?.kind !== 'output') return part
    return { ...part, text: wordsOf(read(part.answer.output)) ?? '' }
  })
  return { ...message, parts }
}
