import { afterEach, beforeEach } from 'vitest'

import type { Json } from '../../packages/dragoman/src/index.ts'
import { says, scriptedModel, step, type ScriptedModel } from './scripted-model.ts'
import { openServer, type ServerOptions, type TestServer } from './server.ts'
import { bearer } from './users.ts'
import { ask } from './wire.ts'
import { createTempDir } from './create-temp-dir.ts'

/** A home for each test of a file, and the servers that are begun on it, whose model says "Hi." again and again. */
export function configured() {
  let home = ''
  let servers: TestServer[] = []
  beforeEach(async () => {
    home = await createTempDir()
    servers = []
  })
  afterEach(async () => {
    await Promise.all(servers.map((each) => each[Symbol.asyncDispose]()))
  })
  return {
    get home() {
      return home
    },
    /** The first one has tokens for ada and bob. Each has its own data, in memory, unless `isOnDisk`. */
    async open(
      config: Readonly<Record<string, Json>>,
      more: Partial<ServerOptions> = {},
    ): Promise<{ server: TestServer; model: ScriptedModel }> {
      const model = scriptedModel(Array.from({ length: 60 }, () => step(says('Hi.'))))
      const users = servers.length === 0 ? { users: ['ada', 'bob'] } : {}
      const configFile = { rateLimit: 0, ...config }
      const server = await openServer({
        models: model.models,
        home,
        configFile,
        isOnDisk: false,
        ...users,
        ...more,
      })
      servers.push(server)
      return { server, model }
    },
    /** Asks the first server, by a user's token. */
    as: (user: string) => {
      const [server] = servers
      if (!server) throw new Error('There is no server yet.')
      return (method: string, path: string, body?: Json, headers: Readonly<Record<string, string>> = {}) =>
        ask(server.url, {
          method,
          path,
          headers: { ...bearer(server.token(user)), ...headers },
          ...(body !== undefined && { body }),
        })
    },
  }
}

/** A message of useChat's. */
export function useChat(id: string, messageId = 'm1'): Json {
  return { id, messages: [{ id: messageId, role: 'user', parts: [{ type: 'text', text: 'hello' }] }] }
}
