import { Hono, type Context } from 'hono'

import { describeRoute, type AppEnv } from 'dragoman/agents'
import { isServiceError, ServiceError } from 'dragoman/errors'
import { limitBodySize, validateBody, readOptionalJsonBody } from '@dragoman/agent-kit/json-body'
import type { Language } from '../language.ts'
import type { Places } from '../places/place.ts'
import type { Profiles } from '../profile/profile.ts'
import { greetingBody, greetingQuery } from './greeting-request.ts'
import type { GreetingOptions, Recipient, Greeter } from './greeter.ts'
import type { Greeting } from './greeting.ts'
import * as operations from './greeting-operations.ts'
import { readRequestProfile } from './request-profile.ts'

const small = limitBodySize(64 * 1024, 'The body may have at most 64 KB')

export type GreetingPorts = {
  readonly greeter: Greeter
  readonly profiles: Profiles
  readonly places: Places
}

/** `GET /api/fortune/greeting`, by the stored profile. */
export function storedGreetingRoutes({ greeter, profiles }: GreetingPorts): Hono<AppEnv> {
  return new Hono<AppEnv>().get('/greeting', describeRoute(operations.storedGreeting), (c) =>
    withDocumentedErrors(c, async () => {
      const options = validateBody(greetingQuery, c.req.query())
      return greet(c, greeter, await stored(profiles, c.get('userId')), options)
    }),
  )
}

/** `POST /api/v1/fortune/greeting`, by a profile in the body. */
export function requestGreetingRoutes({ greeter, profiles, places }: GreetingPorts): Hono<AppEnv> {
  return new Hono<AppEnv>().post('/greeting', small, describeRoute(operations.requestGreeting), (c) =>
    withDocumentedErrors(c, async () => {
      const options = await readOptionalJsonBody(c, greetingBody)
      const userId = c.get('userId')
      const recipient = options.profile
        ? { userId, profile: await readRequestProfile(options.profile, places), keep: false }
        : await stored(profiles, userId)
      return greet(c, greeter, recipient, options)
    }),
  )
}

async function stored(profiles: Profiles, userId: string): Promise<Recipient> {
  return { userId, profile: await profiles.get(userId), keep: true }
}

type Wire = Pick<GreetingOptions, 'language'> & {
  readonly voice_mode?: GreetingOptions['voice']
  readonly greeting_type?: GreetingOptions['type']
  readonly time_zone?: string | undefined
}

async function greet(c: Context, greeter: Greeter, recipient: Recipient, options: Wire): Promise<Greeting> {
  const preferred = options.language ?? recipient.profile.preferences.language
  return greeter.greet(recipient, {
    voice: options.voice_mode,
    type: options.greeting_type,
    timeZone: options.time_zone,
    language: preferred ?? acceptedLanguage(c.req.header('accept-language')),
  })
}

/** The first of ours that a browser says it reads. */
function acceptedLanguage(header = ''): Language | undefined {
  const first = /(?:^|[\s,])(zh|en)\b/iu.exec(header.slice(0, 200))?.[1]?.toLowerCase()
  return first === 'zh' || first === 'en' ? first : undefined
}

/** Caches must not keep the answer. A refusal also has `success: false`, as documented. */
async function withDocumentedErrors(c: Context, work: () => Promise<Greeting>): Promise<Response> {
  try {
    const greeting = await work()
    c.header('cache-control', 'private, no-store')
    return c.json(greeting)
  } catch (error) {
    if (!isServiceError(error)) throw error
    const { code, message, details, retryAfter, translations } = error
    throw new ServiceError(code, message, {
      cause: error,
      details: { ...details, success: false },
      ...(retryAfter !== undefined && { retryAfter }),
      translations,
    })
  }
}
