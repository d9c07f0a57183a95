import { ServiceError } from '../../errors.ts'
import { isJsonObject, type Json } from '../../events/index.ts'
import { parseThinkingViewOptions, type ThinkingViewOptions } from '../thinking-view-options.ts'

/** The versions of the AI SDK that a reader can name. A request seldom shows its client's version. */
export const PROFILES = ['v5', 'v6', 'v7'] as const

export type Profile = (typeof PROFILES)[number]

/**
 * The options of one reader. `v5` is what every client from 5.0.0 on accepts. Without `profile`, as with `v6`, the
 * output is what every client from 6.0.0 on accepts.
 */
export type UiViewOptions = ThinkingViewOptions & {
  readonly profile?: Profile
  /** Whether the reader knows `steering-message`, as AI SDK 7.0.163 does. Earlier ones refuse it. */
  readonly steeringMessages?: true
  /** Whether the reader is a chat of the AI SDK, which takes an error for one. */
  readonly isChat?: true
  /** Where the reader's server is: a client refuses a file whose address is only a path. */
  readonly origin?: string
}

/** @throws ServiceError `invalid-request` for an unknown profile in the query */
export function parseUiViewOptions(ofRun: Json, query: Readonly<Record<string, string>> = {}): UiViewOptions {
  const queryProfile = query['profile']
  if (queryProfile !== undefined && !isProfile(queryProfile))
    throw new ServiceError('invalid-request', `profile: must be one of ${PROFILES.join(', ')}.`)
  const profile = queryProfile ?? (isJsonObject(ofRun) ? ofRun['profile'] : undefined)
  const origin = query['origin'] ?? (isJsonObject(ofRun) ? ofRun['origin'] : undefined)
  const ofBody = isJsonObject(ofRun) && ofRun['steeringMessages'] === true
  const knowsSteering =
    query['steeringMessages'] === undefined ? ofBody : query['steeringMessages'] === 'true'
  const thinking = {
    ...parseThinkingViewOptions(ofRun, query),
    ...(knowsSteering && { steeringMessages: true as const }),
    ...(isJsonObject(ofRun) && ofRun['isChat'] === true && { isChat: true as const }),
    ...(typeof origin === 'string' && { origin }),
  }
  return isProfile(profile) ? { ...thinking, profile } : thinking
}

function isProfile(name: unknown): name is Profile {
  return (PROFILES as readonly unknown[]).includes(name)
}
