import type { Json, UserPart } from '../events/index.ts'

/** A user message during a run, as a data part: no client has a place for it within an answer. */
export function toUserMessageData({
  messageId,
  input,
}: {
  readonly messageId: string
  readonly input: readonly UserPart[]
}): { readonly type: 'data-user-message'; readonly id: string; readonly data: Json } {
  return { type: 'data-user-message', id: messageId, data: { messageId, parts: input } }
}
