import type { Context } from 'hono'

import { ServiceError } from '../../errors.ts'
import { isJsonObject, type Json } from '../../events/index.ts'
import type { Protocol } from '../../protocols/index.ts'

/** The protocols that a surface speaks, by name. */
export type Protocols = ReadonlyMap<string, Protocol>

/** What the caller names: in the query, else in a header, else in the body's options. @throws ServiceError listing the known ones */
export function namedProtocol(c: Context, protocols: Protocols, body?: Json): Protocol | undefined {
  const options = isJsonObject(body) && isJsonObject(body['options']) ? body['options'] : {}
  const name = c.req.query('protocol') ?? c.req.header('x-protocol') ?? options['protocol']
  if (name === undefined) return undefined
  const known = typeof name === 'string' ? protocols.get(name) : undefined
  if (known) return known
  throw new ServiceError('invalid-request', `protocol: must be one of ${[...protocols.keys()].join(', ')}.`)
}

/**
 * The protocol that a body is in: the one that is named, else the one that its shape tells. Texts alone are in the
 * surface's own protocol, `literal`, if it has one. @throws ServiceError where it is not spoken here
 */
export function selectProtocol(
  c: Context,
  protocols: Protocols,
  body: Json,
  textProtocol?: string,
): Protocol {
  const defaultTextProtocol = [...protocols.values()].findLast(({ readsPlainTexts }) => readsPlainTexts)
  const name = protocolOfShape(body) ?? textProtocol ?? defaultTextProtocol?.name ?? ''
  const protocol = namedProtocol(c, protocols, body) ?? protocols.get(name)
  if (protocol) return protocol
  const known = [...protocols.keys()].join(', ')
  throw new ServiceError(
    'invalid-request',
    `These messages are those of ${name}, which is not spoken here: use one of ${known}.`,
  )
}

/**
 * What a body's shape says. Every AI SDK transport from v5 on sends `trigger` or parts, those of its docs a single message object; v4 sends
 * contents and parts; AG-UI names a thread and a run. The documented chats send contents, or a text.
 */
function protocolOfShape(body: Json): 'ui-message-stream' | 'data-stream' | 'ag-ui' | undefined {
  if (!isJsonObject(body)) return undefined
  if ('threadId' in body && 'runId' in body) return 'ag-ui'
  if ('trigger' in body) return 'ui-message-stream'
  const single = body['message']
  const messages = Array.isArray(body['messages']) ? (body['messages'] as readonly Json[]) : [single ?? null]
  const has = (field: string): boolean =>
    messages.some((message) => isJsonObject(message) && field in message)
  if (has('parts') && has('content')) return 'data-stream'
  return has('parts') || isJsonObject(single) ? 'ui-message-stream' : undefined
}
