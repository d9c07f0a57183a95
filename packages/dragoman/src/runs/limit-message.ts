import { ServiceError } from '../errors.ts'
import { isGuest, type Answer, type ChatRequest, type UserPart } from '../events/index.ts'

/** Bytes of text (UTF-8) that one message may have. Files do not count. */
export type MessageLimits = { readonly messageBytes: number; readonly guestMessageBytes: number }

/**
 * Refuses texts that are too long, before anything reads them: the message, those of the user that the client says
 * came before it, and the context.
 * @throws ServiceError `too-large` that names the field and the limit
 */
export function limitMessage(
  { userId, message, turns, history, context }: ChatRequest & { readonly userId: string },
  limits: MessageLimits,
): void {
  const check = textLimit(userId, limits)
  check('message', textOf(message.parts))
  for (const [index, { role, text }] of turns.entries()) if (role === 'user') check(`messages.${index}`, text)
  for (const [index, each] of (history ?? []).entries())
    if (each.role === 'user') check(`history.${index}`, textOf(each.parts))
  textLimit('', limits)('context', JSON.stringify(context))
}

/** @throws ServiceError `too-large`, as for a message */
export function limitAnswer(userId: string, answer: Answer, limits: MessageLimits): void {
  textLimit(userId, limits)('answer', JSON.stringify(answer))
}

function textLimit(userId: string, limits: MessageLimits): (field: string, text: string) => void {
  const name = isGuest(userId) ? 'guestMessageBytes' : 'messageBytes'
  const max = limits[name]
  return (field, text) => {
    // A character has at least one byte, so a much longer text is not encoded.
    const bytes = text.length > max ? text.length : Buffer.byteLength(text)
    if (bytes <= max) return
    throw new ServiceError('too-large', `${field}: longer than ${max} bytes of text (limits.${name}).`, {
      details: { field, limit: max },
      translations: { zh: `${field}：文字超过 ${max} 字节（limits.${name}）。` },
    })
  }
}

function textOf(parts: readonly UserPart[]): string {
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
}
