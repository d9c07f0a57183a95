import type { Json } from '../../../../packages/dragoman/src/index.ts'

/** A request of the Eve chat. */
export function eveRequest(content: string, options: Record<string, Json> = {}): Json {
  return { messages: [{ role: 'user', content, timestamp: '2024-01-22T10:00:00Z' }], options }
}
