import { Server } from 'socket.io'

import { ServiceError } from 'dragoman/errors'
import { encodeInPieces } from 'dragoman/events'
import { createJsonValueCounter } from 'dragoman/http'

type Parser = Server['_parser']
type Decoder = InstanceType<Parser['Decoder']>

const {
  _parser: { Encoder, Decoder },
} = new Server()

/**
 * The type, namespace and id of a packet before its JSON: https://socket.io/docs/v4/socket-io-protocol/#packet-encoding
 * Socket.IO reads them a character at a time, whatever their length.
 */
const HEAD = /^\d(?:\/[^,]{0,200}(?:,|$))?\d{0,15}(?:["[{]|$)/
const MAX_HEAD_LENGTH = 220

const bytesOfArguments = new WeakMap<object, number>()

/** Socket.IO's decoder with limits: a packet with too many values or with attachments closes its connection. */
function BoundedDecoder(): Decoder {
  // No message of this server has attachments, which would wait for each other in memory.
  const decoder = new Decoder({ maxAttachments: 0 })
  const add = decoder.add.bind(decoder)
  let bytes = 0
  decoder.on('decoded', ({ data }: { readonly data?: unknown }) => {
    if (Array.isArray(data)) bytesOfArguments.set(data, bytes)
  })
  decoder.add = (packet) => {
    if (typeof packet === 'string') {
      if (!HEAD.test(packet.slice(0, MAX_HEAD_LENGTH + 1)))
        throw new ServiceError('invalid-request', 'This is no packet of Socket.IO.')
      // Nesting is checked later, where an error can name the message.
      encodeInPieces(packet, createJsonValueCounter(Infinity))
    }
    bytes = Buffer.byteLength(packet)
    add(packet)
  }
  return decoder
}

/** The size of the packet in which an event came, by the array of its name and arguments. */
export function packetBytes(event: object): number {
  return bytesOfArguments.get(event) ?? 0
}

/** The parser option of Socket.IO. */
export const boundedParser = { Encoder, Decoder: BoundedDecoder }
