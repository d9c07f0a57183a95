import { Server } from 'socket.io'

import { createJsonValueCounter } from 'dragoman/http'

type Parser = Server['_parser']
type Decoder = InstanceType<Parser['Decoder']>

const {
  _parser: { Encoder, Decoder },
} = new Server()

/** Socket.IO's decoder with a limit: a packet with too many values closes its connection. */
function BoundedDecoder(): Decoder {
  const decoder = new Decoder()
  const add = decoder.add.bind(decoder)
  decoder.add = (packet) => {
    // Nesting is checked later, where an error can name the message.
    if (typeof packet === 'string') createJsonValueCounter(Infinity)(Buffer.from(packet))
    add(packet)
  }
  return decoder
}

/** The parser option of Socket.IO. */
export const boundedParser = { Encoder, Decoder: BoundedDecoder }
