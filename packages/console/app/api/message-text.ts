import type { Message } from './types.ts'

/** The text of a message, without reasoning and tools. */
export function textOf({ parts }: Pick<Message, 'parts'>): string {
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n\n')
}
