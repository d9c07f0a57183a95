import { afterEach, beforeEach, expect } from 'vitest'

import { rawSocket, type RawSocket } from './raw-socket.ts'
import { scriptedModel, type ScriptedModel } from './scripted-model.ts'
import type { ServerOptions } from './server.ts'
import { socketClient } from './socket-client.ts'
import { useServer } from './use-server.ts'
import { ask } from './wire.ts'

const POLL = '/socket.io/?EIO=4&transport=polling'

/** Opens a server with a user for each test of the block: one who was too fast has to wait. */
export function useRawSockets(limits: NonNullable<ServerOptions['limits']>): {
  readonly model: ScriptedModel
  readonly url: () => string
  readonly token: () => string
  /** Opens a WebSocket and joins. It is closed after the test. */
  readonly join: () => Promise<RawSocket>
  readonly closeAfterwards: (socket: Disposable) => void
  /** Joins over polling. Returns the path for further requests. */
  readonly joinByPolling: () => Promise<string>
  /** Another user can use the server. */
  readonly expectOthersServed: () => Promise<void>
} {
  const model = scriptedModel()
  const users = Array.from({ length: 30 }, (_, n) => `ada${n}`)
  const flags = ['--require-token', '--readers', '16']
  const server = useServer({ ...model, users: [...users, 'bob'], flags, limits })
  let user = 0
  const opened = new Set<Disposable>()
  beforeEach(() => {
    user += 1
  })
  afterEach(() => {
    for (const each of opened) each[Symbol.dispose]()
    opened.clear()
  })
  const token = (): string => server.token(users[user] ?? '')
  return {
    model,
    url: () => server.url,
    token,
    closeAfterwards: (socket) => void opened.add(socket),
    async join() {
      const socket = await rawSocket(server.url, { token: token() })
      opened.add(socket)
      return socket
    },
    async joinByPolling() {
      const { text } = await ask(server.url, { path: POLL })
      const { sid } = JSON.parse(text.slice(1)) as { sid: string }
      const path = `${POLL}&sid=${sid}`
      const body = `40${JSON.stringify({ token: token() })}`
      expect((await ask(server.url, { method: 'POST', path, body })).status).toBe(200)
      expect((await ask(server.url, { path })).text).toMatch(/^40\{"sid"/)
      return path
    },
    async expectOthersServed() {
      using client = socketClient(server.url, { auth: { token: server.token('bob') }, reconnection: false })
      expect(await client.ask('message_feedback', { messageId: 'm' })).toEqual({ ok: true })
    },
  }
}
