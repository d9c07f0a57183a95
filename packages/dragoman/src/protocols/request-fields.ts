import { z } from 'zod'

import type { ThreadPolicy } from '../events/index.ts'
import { anyJson } from './any-json.ts'

/** Fields that requests of several formats have, under one name and with one meaning. */
export const context = anyJson.describe(
  'What the client says of its surroundings; the agent is told it along with the user’s words.',
)
export const showThinking = z.boolean().describe('false: without reasoning.')
export const stream = z.boolean().describe('false: the whole answer at once, as JSON.')
export const conversationId = z
  .string()
  .describe('Goes on with a conversation, by our id (conv_…) or the client’s name; a new name begins one.')
/** The name of a model. Whether it can be reached is checked where the run starts. */
export const modelName = z
  .string()
  .min(1)
  .max(200)
  .meta({ examples: ['anthropic/claude-sonnet-5-5'] })

export const policy = z
  .enum(['reject', 'enqueue', 'interrupt', 'steer'], 'must be reject, enqueue, interrupt or steer')
  .describe('What happens where the conversation’s answer still runs.')

/** The policy that a body names, next to its message or among its options. */
export function readPolicy({
  policy: bodyPolicy,
  options,
}: {
  readonly policy?: ThreadPolicy | null | undefined
  readonly options?: { readonly policy?: ThreadPolicy | null | undefined } | null | undefined
}): { readonly policy?: ThreadPolicy } {
  const found = bodyPolicy ?? options?.policy
  return found ? { policy: found } : {}
}
