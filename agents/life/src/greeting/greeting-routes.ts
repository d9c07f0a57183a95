import { Hono, type Context } from 'hono'

import { describeRoute, type AppEnv, type Operation } from 'dragoman/agents'
import { isServiceError } from 'dragoman/errors'
import { limitBodySize, validateBody, readOptionalJsonBody } from '@dragoman/agent-kit/json-body'
import type { Language } from '../language.ts'
import type { WorldPlaces } from '../places/place.ts'
import type { Profiles } from '../profile/profile.ts'
import { rewordError } from '../reword-error.ts'
import { greetingBody, greetingQuery, type GreetingOptions } from './greeting-request.ts'
import type { Recipient, Greeter } from './greeter.ts'
import { greetingShape, type Greeting } from './greeting.ts'
import { readRequestProfile } from './read-request-profile.ts'

const MAX_BODY_BYTES = 64 * 1024

const common = {
  group: 'Greeting',
  responses: { 200: { description: 'The greeting of the day.', json: greetingShape } },
}
const description =
  'Computed without a model, from the almanac and, if a birth is known, from its chart. It stays the same all day ' +
  'for the same user, voice, language and type. The day begins at midnight in the zone. Culture and reflection, and ' +
  'the answer says so. An error has `success: false` and the usual fields.'

const stored: Operation = {
  ...common,
  summary: 'Greet the caller by the stored profile',
  description,
  query: greetingQuery,
}

const byRequest: Operation = {
  ...common,
  summary: 'Greet by the profile of the request',
  description: `${description} The profile of the request is used and not stored.`,
  body: greetingBody.optional(),
  errors: ['too-large'],
}

export type GreetingPorts = {
  readonly greeter: Greeter
  readonly profiles: Profiles
  readonly places: WorldPlaces
}

/** `GET /api/fortune/greeting`, and both of `/api/v1/fortune/greeting`, by the path at which each is mounted. */
export function greetingRoutes({ greeter, profiles, places }: GreetingPorts): Record<string, Hono<AppEnv>> {
  const limit = limitBodySize(MAX_BODY_BYTES, 'The body may have at most 64 KB')
  const storedProfile = async (userId: string): Promise<Recipient> => ({
    userId,
    profile: await profiles.get(userId),
    isStored: true,
  })
  const byStoredProfile = (): Hono<AppEnv> =>
    new Hono<AppEnv>().get('/greeting', describeRoute(stored), (c) =>
      withDocumentedErrors(c, async () => {
        const options = validateBody(greetingQuery, c.req.query())
        return greeter.greet(await storedProfile(c.get('userId')), withLanguage(c, options))
      }),
    )
  return {
    '/api/fortune': byStoredProfile(),
    '/api/v1/fortune': byStoredProfile().post('/greeting', limit, describeRoute(byRequest), (c) =>
      withDocumentedErrors(c, async () => {
        const { profile, ...options } = await readOptionalJsonBody(c, greetingBody)
        const userId = c.get('userId')
        const recipient = profile
          ? { userId, profile: await readRequestProfile(profile, places.forUser(userId)), isStored: false }
          : await storedProfile(userId)
        return greeter.greet(recipient, withLanguage(c, options))
      }),
    ),
  }
}

/** Adds the first known language of `Accept-Language`, which counts if neither request nor profile has one. */
function withLanguage(
  c: Context,
  options: GreetingOptions,
): GreetingOptions & { acceptedLanguage?: Language | undefined } {
  const header = c.req.header('accept-language') ?? ''
  const first = /(?:^|[\s,])(zh|en)\b/iu.exec(header.slice(0, 200))?.[1]?.toLowerCase()
  return first === 'zh' || first === 'en' ? { ...options, acceptedLanguage: first } : options
}

/** Caches must not store the answer. An error also has `success: false`, as documented. */
async function withDocumentedErrors(c: Context, work: () => Promise<Greeting>): Promise<Response> {
  try {
    const greeting = await work()
    c.header('cache-control', 'private, no-store')
    return c.json(greeting)
  } catch (error) {
    throw isServiceError(error) ? rewordError(error, { details: { success: false } }) : error
  }
}
