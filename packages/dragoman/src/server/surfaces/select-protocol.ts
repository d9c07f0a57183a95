import type { Context } from 'hono'

import { ServiceError } from '../../errors.ts'
import { isJsonObject, type Json } from '../../events/index.ts'
import type { Protocol } from '../../protocols/index.ts'

/** The protocols of a surface, by name. */
export type Protocols = ReadonlyMap<string, Protocol>

/**
 * The protocol that the request names in the query, a header or the body's options.
 * @throws ServiceError that lists the known protocols
 */
export function namedProtocol(c: Context, protocols: Protocols, body?: Json): Protocol | undefined {
  const options = isJsonObject(body) && isJsonObject(body['options']) ? body['options'] : {}
  const name = c.req.query('protocol') ?? c.req.header('x-protocol') ?? options['protocol']
  if (name === undefined) return undefined
  const protocol = typeof name === 'string' ? protocols.get(name) : undefined
  if (protocol) return protocol
  throw new ServiceError('invalid-request', `protocol: must be one of ${[...protocols.keys()].join(', ')}.`)
}

/**
 * The protocol of a body: the named one, or the one of its shape. Bodies with texts only are in the surface's own
 * protocol, `textProtocol`, if it has one.
 * @throws ServiceError if the surface does not support it
 */
export function selectProtocol(
  c: Context,
  protocols: Protocols,
  body: Json,
  textProtocol?: string,
): Protocol {
  const defaultTextProtocol = [...protocols.values()].findLast((each) =>
    each.readsPlainTexts?.(c.req.raw.headers),
  )
  const name = protocolOfShape(body) ?? textProtocol ?? defaultTextProtocol?.name ?? ''
  const protocol = namedProtocol(c, protocols, body) ?? protocols.get(name)
  if (protocol) return protocol
  const names = [...protocols.keys()].join(', ')
  throw new ServiceError(
    'invalid-request',
    `These messages are those of ${name}, which is not spoken here: use one of ${names}.`,
  )
}

/** What AI SDK 4 sends with the content of a message. */
const FIELDS_OF_V4 = ['parts', 'experimental_attachments', 'toolInvocations']

/**
 * Detects the protocol from a body's shape. AI SDK 5 and later send `trigger` or parts, in its docs a single message
 * object; v4 sends contents, and with them parts, attachments or calls; AG-UI sends a thread and a run id. The other
 * chats send contents or a text.
 */
function protocolOfShape(body: Json): 'ui-message-stream' | 'data-stream' | 'ag-ui' | undefined {
  if (!isJsonObject(body)) return undefined
  if ('threadId' in body && 'runId' in body) return 'ag-ui'
  if ('trigger' in body) return 'ui-message-stream'
  const single = body['message']
  const messages = Array.isArray(body['messages']) ? (body['messages'] as readonly Json[]) : [single ?? null]
  const has = (field: string): boolean =>
    messages.some((message) => isJsonObject(message) && field in message)
  if (has('content') && FIELDS_OF_V4.some(has)) return 'data-stream'
  return has('parts') || isJsonObject(single) ? 'ui-message-stream' : undefined
}
