import { ServiceError } from '../errors.ts'
import {
  isGuest,
  type Answer,
  type ChatRequest,
  type ClientTurn,
  type Message,
  type UserPart,
} from '../events/index.ts'

/** Bytes of text (UTF-8) that one message may have. Files do not count. */
export type MessageLimits = { readonly messageBytes: number; readonly guestMessageBytes: number }

/**
 * Refuses a message or a context that is too long, before anything reads it. An earlier message of the user that the
 * client reports is replaced by a note: clients go on sending what was refused, and each later message would be, too.
 * @throws ServiceError `too-large` that names the field and the limit
 */
export function limitTexts<R extends ChatRequest & { readonly userId: string }>(
  request: R,
  limits: MessageLimits,
): R {
  const { userId, message, turns, history, context } = request
  textLimit(userId, limits)('message', textOf(message.parts))
  textLimit('', limits)('context', JSON.stringify(context))
  const { max } = limitOf(userId, limits)
  const text = `[A message of more than ${max} bytes was left out here.]`
  const shortenTurn = (turn: ClientTurn): ClientTurn =>
    turn.role === 'user' && bytesOf(turn.text, max) > max ? { ...turn, text } : turn
  const shorten = (each: Message): Message =>
    each.role === 'user' && bytesOf(textOf(each.parts), max) > max
      ? { ...each, parts: [...each.parts.filter(({ type }) => type !== 'text'), { type: 'text', text }] }
      : each
  return {
    ...request,
    turns: turns.map(shortenTurn),
    ...(history && { history: history.map(shorten) }),
  }
}

/** @throws ServiceError `too-large`, as for a message */
export function limitAnswer(userId: string, answer: Answer, limits: MessageLimits): void {
  textLimit(userId, limits)('answer', JSON.stringify(answer))
}

function textLimit(userId: string, limits: MessageLimits): (field: string, text: string) => void {
  const { name, max } = limitOf(userId, limits)
  return (field, text) => {
    if (bytesOf(text, max) <= max) return
    throw new ServiceError('too-large', `${field}: longer than ${max} bytes of text (limits.${name}).`, {
      details: { field, limit: max },
      translations: { zh: `${field}：文字超过 ${max} 字节（limits.${name}）。` },
    })
  }
}

function limitOf(userId: string, limits: MessageLimits): { name: keyof MessageLimits; max: number } {
  const name = isGuest(userId) ? 'guestMessageBytes' : 'messageBytes'
  return { name, max: limits[name] }
}

/** A character has at least one byte, so a much longer text is not encoded. */
function bytesOf(text: string, max: number): number {
  return text.length > max ? text.length : Buffer.byteLength(text)
}

function textOf(parts: readonly UserPart[]): string {
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
}
