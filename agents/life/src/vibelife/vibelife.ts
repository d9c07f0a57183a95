import { Hono } from 'hono'

import { isServiceError, ServiceError } from 'dragoman/errors'
import type { Json } from 'dragoman/events'
import { inVibeLifeWords, vibelife, withVibeLifeFields } from '../protocols/vibelife/index.ts'
import type { HttpEnv } from 'dragoman/http'
import { answersOf, conversationsOf, type ChatOptions, type Manner } from 'dragoman/surfaces'
import * as operations from './operations.ts'

export type VibeLifeOptions = Omit<ChatOptions, 'place'> & {
  /** Where it is mounted, as its clients must know it. */
  readonly at: string
  /** Model calls in one run of a guest, at most. */
  readonly guestSteps: number
}

/** The chat that VibeLife documents, with the life agent: a text gets its literal frames, a body of `useChat` what `useChat` reads. */
export function vibeLifeChat({ at, guestSteps, ...options }: VibeLifeOptions): Hono<HttpEnv> {
  const { dialects } = options
  const chat = { ...options, place: `${at}/stream` }
  const ask = operations.ask(dialects)
  const askAsGuest = operations.askAsGuest(dialects, guestSteps)
  return new Hono<HttpEnv>()
    .route('/stream', answersOf(chat, { ...manner, ask }))
    .route('/guest/stream', answersOf(chat, { ...manner, ask: askAsGuest, maxSteps: guestSteps }))
    .route('/', conversationsOf(chat))
}

const manner: Omit<Manner, 'ask'> = {
  literal: vibelife.name,
  complete: withVibeLifeFields,
  reworded,
}

function reworded(error: unknown, body: Json): unknown {
  if (!isServiceError(error)) return error
  const { code, details, retryAfter, translations } = error
  const { message, field } = inVibeLifeWords({ message: error.message, field: details['field'] }, body)
  if (message === error.message) return error
  return new ServiceError(code, message, {
    details: { ...details, ...(field !== undefined && { field }) },
    cause: error,
    ...(retryAfter !== undefined && { retryAfter }),
    translations,
  })
}
