import { Agent } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

import { sendRequest, type AttackReply, type AttackRequest } from './send-request.ts'

/** Whom an attack is directed at, and as whom. */
export type Target = {
  readonly url: string
  /** The user's. */
  readonly token: string
  /** The address of the stranger, who has no token. Only Linux has more loopback addresses than one. */
  readonly address: string | undefined
  /** The address of the user who attacks. The users who chat have another one. */
  readonly ownAddress: string | undefined
  /** A large conversation of a user. */
  readonly large: LargeThread
}
export type LargeThread = { readonly token: string; readonly id: string; readonly run: string }

/** What an attack can do until it is over. */
export interface Attack {
  readonly target: Target
  readonly signal: AbortSignal
  /** Sends a request and reads the reply. The status is 0 if there is none. */
  ask(request: AttackRequest): Promise<AttackReply>
  /** Opens a connection that reads nothing, from the user's own address by default. @throws if it cannot */
  open(address?: string): Promise<Socket>
  /** Repeats something on several lines until the attack is over. All lines together have a limit of acts a second. */
  repeat(lines: number, act: () => Promise<unknown>, perSecond?: number): Promise<void>
  /** Keeps connections open: one that the server has closed is opened again. */
  hold(count: number, open: () => Promise<Socket>): Promise<void>
  count(what: string): void
  /** What was counted, with each status of replies. */
  counts(): Readonly<Record<string, number>>
}

/** One way to harm others. It is over once the signal of the attack aborts. */
export type AttackKind = { readonly name: string; readonly play: (attack: Attack) => Promise<unknown> }

/** Limits the processor time that attacks take from a server on the same machine. */
const ACTS_PER_SECOND = 400

export function createAttack(target: Target, signal: AbortSignal): Attack {
  const counts: Record<string, number> = {}
  const count = (what: string): void => {
    counts[what] = (counts[what] ?? 0) + 1
  }
  const sockets = new Set<Socket>()
  const agents = { user: new Agent({ keepAlive: true }), stranger: new Agent({ keepAlive: true }) }
  signal.addEventListener('abort', () => {
    for (const socket of sockets) socket.destroy()
    for (const agent of Object.values(agents)) agent.destroy()
  })
  const repeat: Attack['repeat'] = async (lines, act, perSecond = ACTS_PER_SECOND) => {
    const intervalMs = (1000 * lines) / perSecond
    const work = async (line: number): Promise<void> => {
      await pause((intervalMs * line) / lines)
      while (!signal.aborted) {
        const start = performance.now()
        await act().catch(() => count('failed'))
        await pause(Math.max(intervalMs - (performance.now() - start), 0))
      }
    }
    await Promise.all(Array.from({ length: lines }, (_, line) => work(line)))
  }
  return {
    target,
    signal,
    repeat,
    hold: (total, open) => repeat(Math.min(total, 20), openUpTo(total, open, count)),
    count,
    counts: () => counts,
    async ask(request) {
      const isStranger = request.token === undefined
      const reply = await sendRequest(target.url, request, {
        agent: isStranger ? agents.stranger : agents.user,
        localAddress: isStranger ? target.address : target.ownAddress,
        signal,
      })
      if (!signal.aborted) count(String(reply.status))
      return reply
    },
    async open(address = target.ownAddress) {
      signal.throwIfAborted()
      const socket = openSocket(target.url, address)
      sockets.add(socket)
      socket.once('close', () => sockets.delete(socket) && count('closed'))
      await new Promise<void>((resolve, reject) => {
        socket.once('connect', resolve)
        socket.once('close', () => reject(new Error('The connection was closed.')))
      })
      return socket
    },
  }
}

/** Opens one more connection, unless there are so many already. */
function openUpTo(total: number, open: () => Promise<Socket>, count: Attack['count']): () => Promise<void> {
  let held = 0
  const release = (): void => {
    held -= 1
  }
  return async () => {
    if (held >= total) return
    held += 1
    try {
      const socket = await open()
      socket.once('close', release)
      count('opened')
    } catch (error) {
      release()
      throw error
    }
  }
}

function openSocket(url: string, address: string | undefined): Socket {
  const { hostname, port } = new URL(url)
  const local = address === undefined ? {} : { localAddress: address }
  const socket = connect({ host: hostname, port: Number(port), ...local })
  // That the server resets it is what is expected.
  socket.on('error', () => undefined)
  return socket.pause()
}
