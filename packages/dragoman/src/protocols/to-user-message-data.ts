import type { Json, UserPart } from '../events/index.ts'

/** What its user has said to a run that went on, as a datum: no client has a place for that within an answer. */
export function toUserMessageData({
  messageId,
  input,
}: {
  readonly messageId: string
  readonly input: readonly UserPart[]
}): { readonly type: 'data-user-message'; readonly id: string; readonly data: Json } {
  return { type: 'data-user-message', id: messageId, data: { messageId, parts: input } }
}
