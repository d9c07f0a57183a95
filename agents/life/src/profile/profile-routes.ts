import { Hono } from 'hono'
import { z } from 'zod'

import { describeRoute, type AppEnv, type Operation } from 'dragoman/agents'
import { limitBodySize, readJsonBody } from '@dragoman/agent-kit/json-body'
import { parseBirthForm } from '../birth/parse-birth-form.ts'
import { birthText } from '../birth/birth-text.ts'
import type { WorldPlaces } from '../places/place.ts'
import { birthBody, profileChangeBody, profileShape, toChange, toForm } from './profile-request.ts'
import type { Profile, Profiles } from './profile.ts'

const group = 'Profile'
const MAX_BODY_BYTES = 64 * 1024

const is = { 200: { description: 'The profile.', json: z.object({ profile: profileShape }) } }
const isNow = { 200: { description: 'The profile as it is now.', json: z.object({ profile: profileShape }) } }

const show: Operation = {
  group,
  summary: 'Show what is known of you',
  description:
    'What the life agent goes by, beside the memories. Of one of whom nothing is known it is empty.',
  responses: is,
}

const change: Operation = {
  group,
  summary: 'Change what is known of you',
  description: 'What is absent stays; null takes away.',
  body: profileChangeBody,
  responses: isNow,
  errors: ['too-large'],
}

const setBirth: Operation = {
  group,
  summary: 'Say when and where you were born',
  description:
    'The form that the agent opens, filled in. What cannot be is refused by a sentence that names the field; of a ' +
    'place of which there are several, `places` has them.',
  body: birthBody,
  responses: isNow,
  errors: ['too-large'],
}

const removeBirth: Operation = { group, summary: 'Take your birth data away', responses: isNow }

const removeAll: Operation = {
  group,
  summary: 'Delete your profile',
  description: 'Memories and conversations stay.',
  responses: { 200: { description: 'It is gone.', json: z.object({ success: z.literal(true) }) } },
}

/** The REST routes of the profile. */
export function profileRoutes(profiles: Profiles, places: WorldPlaces): Hono<AppEnv> {
  const small = limitBodySize(MAX_BODY_BYTES, 'A profile may have at most 64 KB')
  const routes = new Hono<AppEnv>()
    .get('/', describeRoute(show), async (c) =>
      c.json({ profile: profileBody(await profiles.get(c.get('userId'))) }),
    )
    .patch('/', describeRoute(change), small, async (c) => {
      const changes = toChange(await readJsonBody(c, profileChangeBody))
      return c.json({ profile: profileBody(await profiles.change(c.get('userId'), changes)) })
    })
    .delete('/', describeRoute(removeAll), async (c) => {
      await profiles.remove(c.get('userId'))
      return c.json({ success: true })
    })
    .put('/birth', describeRoute(setBirth), small, async (c) => {
      const userId = c.get('userId')
      const form = toForm(await readJsonBody(c, birthBody))
      const birth = await parseBirthForm(form, places.forUser(userId))
      return c.json({ profile: profileBody(await profiles.change(userId, { birth })) })
    })
    .delete('/birth', describeRoute(removeBirth), async (c) =>
      c.json({ profile: profileBody(await profiles.change(c.get('userId'), { birth: null })) }),
    )
  return new Hono<AppEnv>().route('/profile', routes)
}

function profileBody(profile: Profile): z.infer<typeof profileShape> {
  const { birth } = profile
  return {
    ...profile,
    ...(birth && { birthWords: { zh: birthText(birth, 'zh'), en: birthText(birth, 'en') } }),
    lacking: birth
      ? [...(birth.time ? [] : ['birthTime' as const]), ...(birth.place ? [] : ['birthPlace' as const])]
      : ['birth'],
  }
}
