import type { UserPart } from '../../events/index.ts'
import { toUserMessageData } from '../to-user-message-data.ts'
import { toWholeUrl } from '../whole-url.ts'
import type { UiViewOptions } from './ui-view-options.ts'
import type { SteeringPart } from './wire.ts'

/** A user message during a run: for most clients a data part, because they have no place for it within an answer. */
export function toSteeringPart(
  message: { readonly messageId: string; readonly clientId?: string; readonly input: readonly UserPart[] },
  { steeringMessages, origin }: UiViewOptions,
): SteeringPart | ReturnType<typeof toUserMessageData> {
  if (!steeringMessages) return toUserMessageData(message)
  const { messageId, clientId: id = messageId, input } = message
  const parts = input.map((part) => withWholeUrl(part, origin))
  return { type: 'steering-message', id, parts }
}

function withWholeUrl(part: UserPart, origin: string | undefined): UserPart {
  return part.type === 'file' ? { ...part, url: toWholeUrl(part.url, origin) } : part
}
