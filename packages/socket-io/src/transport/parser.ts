import { Server } from 'socket.io'

import { createJsonValueCounter } from 'dragoman/http'

type Parser = Server['_parser']
type Decoder = InstanceType<Parser['Decoder']>

const {
  _parser: { Encoder, Decoder },
} = new Server()

/** Socket.IO's own decoder; a packet that holds too many values is not read, and its connection is closed. */
function BoundedDecoder(): Decoder {
  const decoder = new Decoder()
  const add = decoder.add.bind(decoder)
  decoder.add = (packet) => {
    // How deep it is nested is told to its sender, once it is known what it belongs to.
    if (typeof packet === 'string') createJsonValueCounter(Infinity)(Buffer.from(packet))
    add(packet)
  }
  return decoder
}

/** How Socket.IO reads and writes its packets. */
export const parser = { Encoder, Decoder: BoundedDecoder }
