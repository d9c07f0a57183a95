import { ServiceError } from '../../errors.ts'
import { isJsonObject, type Json } from '../../events/index.ts'
import { thinkingView, type ThinkingView } from '../thinking.ts'

/** The clients that a reader may name itself, by the AI SDK's version. They cannot be told apart by what they send. */
export const CLIENTS = ['ai-5', 'ai-6', 'ai-7'] as const

/** What one reader wants. Without `client` all is written so that each client from 5.0.0 on accepts it, which is what `ai-5` asks for. */
export type UiView = ThinkingView & { readonly client?: 'ai-6' | 'ai-7' }

/** @throws ServiceError `invalid-request` where the query names a client that is not known */
export function uiView(ofRun: Json, query: Readonly<Record<string, string>> = {}): UiView {
  const asked = query['client']
  if (asked !== undefined && !isClient(asked))
    throw new ServiceError('invalid-request', `client: must be one of ${CLIENTS.join(', ')}.`)
  const client = asked ?? (isJsonObject(ofRun) ? ofRun['client'] : undefined)
  const thinking = thinkingView(ofRun, query)
  return client === 'ai-6' || client === 'ai-7' ? { ...thinking, client } : thinking
}

function isClient(name: string): boolean {
  return (CLIENTS as readonly string[]).includes(name)
}
