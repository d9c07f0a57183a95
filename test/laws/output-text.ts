import { isJsonObject, type AssistantMessage, type Json } from '../../packages/dragoman/src/events/index.ts'

/** What the output of a call says to its reader. */
export function wordsOf(output: Json | undefined): string | undefined {
  if (output === undefined || typeof output === 'string') return output
  const { text, error } = isJsonObject(output) ? output : {}
  const words = [error, text].find((each) => typeof each === 'string')
  return words ?? JSON.stringify(output)
}

/** With the words that a reader finds in the outputs, as they were returned. `read` is how its format tells them. */
export function asReturned(
  message: AssistantMessage,
  read = (output: Json): Json => output,
): AssistantMessage {
  const parts = message.parts.map((part) => {
    if (part.type !== 'tool' || part.state !== 'returned') return part
    return { ...part, text: wordsOf(read(part.output ?? null)) ?? '' }
  })
  return { ...message, parts }
}
