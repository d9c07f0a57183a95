import type { Operation } from 'dragoman/agents'
import { greetingBody, greetingQuery } from './greeting-request.ts'
import { greetingShape } from './greeting.ts'

const group = 'Greeting'

const description =
  'From the almanac of the day and, where a birth is known, from how the day stands to it: computed, without a model, and the same all day for the same user, voice, language and hour of greeting. The day begins at midnight in the zone. Culture and reflection, and said to be so. A request that is refused is answered with `success: false` beside the usual fields.'

export const storedGreeting: Operation = {
  group,
  summary: 'Greet the caller, by the profile that is kept',
  description,
  query: greetingQuery,
  responses: { 200: { description: 'The greeting of the day.', json: greetingShape } },
}

export const requestGreeting: Operation = {
  group,
  summary: 'Greet somebody, by a profile that comes with the request',
  description: `${description} The profile of the request is used and not kept.`,
  body: greetingBody.optional(),
  responses: { 200: { description: 'The greeting of the day.', json: greetingShape } },
  errors: ['too-large'],
}
