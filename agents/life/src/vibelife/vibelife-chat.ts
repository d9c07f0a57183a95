import { Hono } from 'hono'

import { isServiceError, ServiceError } from 'dragoman/errors'
import type { Json } from 'dragoman/events'
import { translateRefusal, vibelife, addVibeLifeFields } from '../protocols/vibelife/index.ts'
import type { HttpEnv } from 'dragoman/http'
import { answersOf, conversationsOf, type ChatOptions, type Manner } from 'dragoman/surfaces'
import * as operations from './vibelife-operations.ts'

export type VibeLifeOptions = Omit<ChatOptions, 'place'> & {
  /** Where it is mounted, as its clients must know it. */
  readonly at: string
  /** Model calls in one run of a guest, at most. */
  readonly guestSteps: number
}

/**
 * The chat that VibeLife documents, with the life agent: a text gets its literal frames, a body of `useChat` what
 * `useChat` reads.
 */
export function vibeLifeChat({ at, guestSteps, ...options }: VibeLifeOptions): Hono<HttpEnv> {
  const { dialects } = options
  const chat = { ...options, place: `${at}/stream` }
  const ask = operations.chatOperation(dialects)
  const askAsGuest = operations.guestChatOperation(dialects, guestSteps)
  return new Hono<HttpEnv>()
    .route('/stream', answersOf(chat, { ...chatDialect, ask }))
    .route('/guest/stream', answersOf(chat, { ...chatDialect, ask: askAsGuest, maxSteps: guestSteps }))
    .route('/', conversationsOf(chat))
}

const chatDialect: Omit<Manner, 'ask'> = {
  literal: vibelife.name,
  complete: addVibeLifeFields,
  reworded,
}

function reworded(error: unknown, body: Json): unknown {
  if (!isServiceError(error)) return error
  const { code, details, retryAfter, translations } = error
  const { message, field } = translateRefusal({ message: error.message, field: details['field'] }, body)
  if (message === error.message) return error
  return new ServiceError(code, message, {
    details: { ...details, ...(field !== undefined && { field }) },
    cause: error,
    ...(retryAfter !== undefined && { retryAfter }),
    translations,
  })
}
