import { ServiceError } from '../../errors.ts'
import { isJsonObject, type Json } from '../../events/index.ts'
import { parseThinkingViewOptions, type ThinkingViewOptions } from '../thinking-view-options.ts'

/** The versions of the AI SDK that a reader can name. A request does not show its client's version. */
export const PROFILES = ['v5', 'v6', 'v7'] as const

/**
 * The options of one reader. Without `profile` (or with `v5`), the output is what every client from 5.0.0 on
 * accepts.
 */
export type UiViewOptions = ThinkingViewOptions & { readonly profile?: 'v6' | 'v7' }

/** @throws ServiceError `invalid-request` for an unknown profile in the query */
export function parseUiViewOptions(ofRun: Json, query: Readonly<Record<string, string>> = {}): UiViewOptions {
  const queryProfile = query['profile']
  if (queryProfile !== undefined && !isProfile(queryProfile))
    throw new ServiceError('invalid-request', `profile: must be one of ${PROFILES.join(', ')}.`)
  const profile = queryProfile ?? (isJsonObject(ofRun) ? ofRun['profile'] : undefined)
  const thinking = parseThinkingViewOptions(ofRun, query)
  return profile === 'v6' || profile === 'v7' ? { ...thinking, profile } : thinking
}

function isProfile(name: string): boolean {
  return (PROFILES as readonly string[]).includes(name)
}
