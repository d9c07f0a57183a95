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
 * @throws ServiceError if no protocol of the surface recognizes it
 */
export function selectProtocol(
  c: Context,
  protocols: Protocols,
  body: Json,
  textProtocol?: string,
): Protocol {
  const all = [...protocols.values()]
  const { headers } = c.req.raw
  const protocol =
    namedProtocol(c, protocols, body) ??
    all.findLast((each) => each.recognizes?.(body, headers)) ??
    (textProtocol === undefined
      ? all.findLast((each) => each.readsPlainTexts?.(headers))
      : protocols.get(textProtocol))
  if (protocol) return protocol
  const names = [...protocols.keys()].join(', ')
  throw new ServiceError(
    'invalid-request',
    `No protocol of this address recognizes these messages: name one of ${names}.`,
  )
}
