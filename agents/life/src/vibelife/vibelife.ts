import { Hono } from 'hono'

import { isServiceError, ServiceError } from '../errors.ts'
import { isGuest, type Json } from '../events/index.ts'
import { inVibeLifeWords, vibelife, withVibeLifeFields } from '../protocols/index.ts'
import type { HttpEnv } from '../transports/index.ts'
import type { ChatOptions } from './chat-history.ts'
import { answersOf, conversationsOf, type Manner } from './jobs-chat.ts'
import * as operations from './vibelife-operations.ts'

/** S3-19. */
const GUEST_STEPS = 3

export type VibeLifeOptions = Omit<ChatOptions, 'place'> & {
  /** Where it is mounted, as its clients must know it. */
  readonly at: string
}

/** The chat that VibeLife documents, with the life agent: a text gets its literal frames, a body of `useChat` what `useChat` reads. */
export function vibeLifeChat({ at, ...options }: VibeLifeOptions): Hono<HttpEnv> {
  const { dialects } = options
  const chat = { ...options, place: `${at}/stream` }
  const ask = operations.ask(dialects)
  const askAsGuest = operations.askAsGuest(dialects, GUEST_STEPS)
  return new Hono<HttpEnv>()
    .route('/stream', answersOf(chat, { ...manner, ask, stepsFor: stepsOfGuests }))
    .route('/guest/stream', answersOf(chat, { ...manner, ask: askAsGuest, stepsFor: () => GUEST_STEPS }))
    .route('/', conversationsOf(chat))
}

/** Whoever has no account is a guest wherever they ask. */
function stepsOfGuests(userId: string): number | undefined {
  return isGuest(userId) ? GUEST_STEPS : undefined
}

const manner: Omit<Manner, 'ask'> = {
  literal: vibelife.name,
  complete: withVibeLifeFields,
  reworded,
}

function reworded(error: unknown, body: Json): unknown {
  if (!isServiceError(error)) return error
  const { code, details, retryAfter, chinese } = error
  const { message, field } = inVibeLifeWords({ message: error.message, field: details['field'] }, body)
  if (message === error.message) return error
  return new ServiceError(code, message, {
    details: { ...details, ...(field !== undefined && { field }) },
    cause: error,
    ...(retryAfter !== undefined && { retryAfter }),
    ...(chinese !== undefined && { chinese }),
  })
}
