import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'

import { WebSocketServer, type WebSocket } from 'ws'

import { ServiceError } from 'dragoman/errors'
import { sendErrorAndClose, type Caller, type CallerRules, type SocketCaller } from 'dragoman/http'
import type { LoadAccount } from 'dragoman/server'
import {
  engineRequestInfo,
  socketRequestInfo,
  type SocketAuthOptions,
} from '../transport/authenticate-socket.ts'
import { carryWebSocket } from '../transport/carriers.ts'
import { createRequestCheck, type RequestCheckOptions } from '../transport/check-request.ts'
import { createConnectionLoad, type ConnectionLoad } from '../transport/connection-load.ts'
import { createPacketRates } from '../transport/packet-rates.ts'
import type { ChatConnection } from './chat-connection.ts'
import { serveChat } from './serve-chat.ts'

/** The codes of a WebSocket's end: https://www.rfc-editor.org/rfc/rfc6455#section-7.4.1 */
const GOING_AWAY = 1001
/** A message comes in at most so many pieces. */
const MAX_FRAGMENTS = 2048

/** WebSockets at the chats of agents, for AI SDK's `WebSocketChatTransport`. */
export interface ChatSockets {
  isFor(incoming: IncomingMessage): boolean
  upgrade(incoming: IncomingMessage, socket: Duplex, head: Buffer): void
  /** Sends replies to their end within the time limit, then closes all connections. */
  close(withinMs: number): Promise<void>
}

export type ChatSocketsOptions = SocketAuthOptions &
  RequestCheckOptions & {
    readonly callerRules: Pick<CallerRules, 'proxies'>
    readonly load: LoadAccount
    readonly messageBytes: number
    readonly agents: readonly { readonly id: string }[]
    readonly fetch: (request: Request, from: SocketCaller) => Promise<Response>
  }

/** A connection that is being admitted. */
type Admission = {
  readonly incoming: IncomingMessage
  readonly socket: Duplex
  readonly head: Buffer
  readonly load: ConnectionLoad
}

export function createChatSockets(options: ChatSocketsOptions): ChatSockets {
  const { callerRules, load: account } = options
  const rates = createPacketRates()
  const checkRequest = createRequestCheck(options)
  const openSockets = new Map<WebSocket, ChatConnection>()
  const { server, setCookie } = createWebSocketServer(options)
  const admit = async ({ incoming, socket, head, load }: Admission): Promise<void> => {
    const agent = agentIn(incoming)
    const { caller, address } = await findCaller(incoming, agent, options)
    if (socket.destroyed) return
    load.join(caller, () => socket.destroy())
    if (caller.cookie !== undefined) setCookie(incoming, caller.cookie)
    server.handleUpgrade(incoming, socket, head, (websocket) => {
      carryWebSocket(load, websocket, socket)
      const from = { caller, peer: incoming.socket.remoteAddress }
      const headers = headersOf(incoming)
      const chat = { ...options, agent, load, socket, from, address, headers }
      openSockets.set(websocket, serveChat(websocket, chat))
      websocket.once('close', () => openSockets.delete(websocket))
    })
  }
  return {
    isFor: (incoming) => agentIn(incoming) !== '',
    upgrade(incoming, socket, head) {
      const refuse = (error: unknown): void => sendErrorAndClose(socket, error)
      try {
        checkRequest(incoming)
        const address = callerRules.proxies.networkOf(requestInfoOf(incoming, ''))
        const load = createConnectionLoad({ account, rates, address, cut: () => socket.destroy() })
        socket.once('close', () => load.close())
        admit({ incoming, socket, head, load }).catch(refuse)
      } catch (error) {
        refuse(error)
      }
    },
    async close(withinMs) {
      server.close()
      await closeSockets(openSockets, withinMs)
    },
  }
}

function createWebSocketServer({ messageBytes }: Pick<ChatSocketsOptions, 'messageBytes'>) {
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: messageBytes,
    // Compressed texts would count as less than they take.
    perMessageDeflate: false,
    maxFragments: MAX_FRAGMENTS,
  })
  /** The cookies of guests that are new. */
  const cookies = new WeakMap<IncomingMessage, string>()
  server.on('headers', (headers, incoming) => {
    const cookie = cookies.get(incoming)
    if (cookie !== undefined) headers.push(`set-cookie: ${cookie}`)
  })
  const setCookie = (incoming: IncomingMessage, cookie: string): void => void cookies.set(incoming, cookie)
  return { server, setCookie }
}

/** @throws ServiceError `not-found`, `unauthorized`, `forbidden` */
async function findCaller(
  incoming: IncomingMessage,
  agent: string,
  { agents, resolveCaller }: ChatSocketsOptions,
): Promise<{ readonly caller: Caller; readonly address: string }> {
  const info = requestInfoOf(incoming, agent)
  const token = info.query('token')
  const authorization = token === undefined ? undefined : `Bearer ${token}`
  const caller = await resolveCaller(socketRequestInfo(info, authorization))
  if (agents.some(({ id }) => id === agent)) return { caller, address: info.url }
  throw new ServiceError('not-found', `There is no agent ${agent}.`)
}

/** Sends replies to their end within the time limit, then closes all connections. */
async function closeSockets(
  openSockets: ReadonlyMap<WebSocket, ChatConnection>,
  withinMs: number,
): Promise<void> {
  const ends = Array.from(openSockets, async ([websocket, { idle }]) => {
    await idle()
    websocket.close(GOING_AWAY)
    if (websocket.readyState !== websocket.CLOSED) await once(websocket, 'close')
  })
  const closing = new AbortController()
  const time = pause(withinMs, undefined, { signal: closing.signal }).catch(() => undefined)
  await Promise.race([Promise.all(ends), time])
  closing.abort()
  for (const websocket of openSockets.keys()) websocket.terminate()
}

/** The agent of a chat's path, or nothing. */
function agentIn({ url = '' }: IncomingMessage): string {
  // A request line has at most 16 KB.
  return /^\/([\w-]+)\/chat\/?(?:\?|$)/.exec(url)?.[1] ?? ''
}

/** Headers of the handshake that count for each message: proxies' own, the page's, and the language of sentences. */
const LASTING_HEADERS = /^(?:forwarded|x-forwarded-.{1,40}|x-real-ip|origin|accept-language|user-agent)$/

function headersOf({ headers }: IncomingMessage): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      typeof value === 'string' && LASTING_HEADERS.test(name) ? [[name, value] as const] : [],
    ),
  )
}

/** A guest may use a socket where the chat is open to guests. */
function requestInfoOf(incoming: IncomingMessage, agent: string) {
  return { ...engineRequestInfo(incoming, incoming.socket.remoteAddress), path: `/${agent}/chat` }
}
