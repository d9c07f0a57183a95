import type { IncomingMessage } from 'node:http'

import { nanoid } from 'nanoid'
import type { Socket } from 'socket.io'

/** Bytes that may come over a line before it has joined: a token and an offset are much less. */
const MOST_BEFORE = 64 * 1024

/** Lines that nobody has been let in by yet: strangers may not fill our memory. */
export interface Newcomers {
  /** What a line is called that a request begins. */
  name(incoming: IncomingMessage): string
  /** Listens to what comes with a request that has just been passed on: whoever says too much before they have joined is cut. */
  listen(incoming: IncomingMessage, from: NodeJS.EventEmitter, cut: () => void): void
  joined(socket: Socket): void
}

export function newcomers(): Newcomers {
  const named = new WeakMap<IncomingMessage, string>()
  const inside = new Set<string>()
  return {
    name(incoming) {
      const line = nanoid()
      named.set(incoming, line)
      return line
    },
    listen(incoming, from, cut) {
      const [, said] = /[?&]sid=([^&]*)/.exec(incoming.url ?? '') ?? []
      let bytes = 0
      const count = ({ length }: { readonly length: number }): void => {
        if (inside.has(said ?? named.get(incoming) ?? '')) return void from.off('data', count)
        bytes += length
        return bytes > MOST_BEFORE ? cut() : undefined
      }
      from.on('data', count)
    },
    joined({ client, conn }) {
      const line = named.get(client.request) ?? ''
      inside.add(line)
      conn.once('close', () => inside.delete(line))
    },
  }
}
