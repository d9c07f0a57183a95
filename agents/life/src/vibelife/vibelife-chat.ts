import { Hono } from 'hono'

import { isServiceError } from 'dragoman/errors'
import type { Json } from 'dragoman/events'
import { translateRefusal, vibelife, addVibeLifeFields } from '../protocols/vibelife/index.ts'
import type { HttpEnv } from 'dragoman/http'
import {
  answerRoutes,
  conversationRoutes,
  type ChatOptions,
  type ChatVariant,
  type Protocols,
} from 'dragoman/surfaces'
import { rewordError } from '../reword-error.ts'
import * as operations from './vibelife-openapi.ts'

export type VibeLifeOptions = Omit<ChatOptions, 'path'> & {
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
  const { protocols } = options
  const chat = { ...options, path: `${at}/stream` }
  const askAsGuest = operations.guestChatOperation(protocols, guestSteps)
  return new Hono<HttpEnv>()
    .route('/stream', answerRoutes(chat, chatVariant(protocols)))
    .route(
      '/guest/stream',
      answerRoutes(chat, { ...chatDialect, operation: askAsGuest, maxSteps: guestSteps }),
    )
    .route('/', conversationRoutes(chat))
}

/** A chat whose bodies have the fields that VibeLife documents. */
export function chatVariant(protocols: Protocols): ChatVariant {
  return { ...chatDialect, operation: operations.chatOperation(protocols) }
}

const chatDialect: Omit<ChatVariant, 'operation'> = {
  textProtocol: vibelife.name,
  completeRequest: addVibeLifeFields,
  rewordError: reworded,
}

function reworded(error: unknown, body: Json): unknown {
  if (!isServiceError(error)) return error
  const { message, field } = translateRefusal({ message: error.message, field: error.details['field'] }, body)
  if (message === error.message) return error
  return rewordError(error, { message, details: field === undefined ? {} : { field } })
}
