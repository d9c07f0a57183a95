import { ServiceError } from '../../errors.ts'
import { isJsonObject, type Json } from '../../events/index.ts'
import { thinkingView, type ThinkingView } from '../thinking-view.ts'

/** What a reader may say that it knows, by the AI SDK's version. Clients cannot be told apart by what they send. */
export const PROFILES = ['v5', 'v6', 'v7'] as const

/** What one reader wants. Without `profile` all is written so that each client from 5.0.0 on accepts it, which is what `v5` asks for. */
export type UiView = ThinkingView & { readonly profile?: 'v6' | 'v7' }

/** @throws ServiceError `invalid-request` where the query names a profile that is not known */
export function uiView(ofRun: Json, query: Readonly<Record<string, string>> = {}): UiView {
  const queryProfile = query['profile']
  if (queryProfile !== undefined && !isProfile(queryProfile))
    throw new ServiceError('invalid-request', `profile: must be one of ${PROFILES.join(', ')}.`)
  const profile = queryProfile ?? (isJsonObject(ofRun) ? ofRun['profile'] : undefined)
  const thinking = thinkingView(ofRun, query)
  return profile === 'v6' || profile === 'v7' ? { ...thinking, profile } : thinking
}

function isProfile(name: string): boolean {
  return (PROFILES as readonly string[]).includes(name)
}
