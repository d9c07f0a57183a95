import { afterEach, beforeEach, expect } from 'vitest'
import { z } from 'zod'

import { defineTool, toolResult } from '../../../../packages/dragoman/src/index.ts'
import type { Gate } from '../../../../test/support/gate.ts'
import { client } from '../../../../test/support/http.ts'
import { eve } from '../../src/protocols/eve/index.ts'
import { eveRequest } from './eve-request.ts'
import { says, scriptedModel, step, type ScriptedModel } from '../../../../test/support/scripted-model.ts'
import { openServer, type ServerOptions, type TestServer } from '../../../../test/support/server.ts'

const look = defineTool({
  name: 'look',
  description: 'Looks.',
  inputSchema: z.object({}),
  execute: async () => toolResult({ output: { seen: 1 }, text: 'One seen.' }),
})

type ChatHistory = {
  conversation: Record<string, unknown> | null
  messages: {
    id: string
    role: string
    content: string
    finishReason: string | null
    timestamp: string
    toolCalls: unknown
  }[]
  live?: Record<string, unknown>
  before?: string
}

/** A server for each test of a file, with a scripted model and one tool, `look`. */
export function chatServer(options: Pick<ServerOptions, 'isOnDisk'> = {}) {
  let model: ScriptedModel
  let server: TestServer
  beforeEach(async () => {
    model = scriptedModel()
    server = await openServer({
      models: model.models,
      tools: [look],
      capability: { protocols: [eve] },
      ...options,
    })
  })
  afterEach(() => server[Symbol.asyncDispose]())

  return {
    get model(): ScriptedModel {
      return model
    },
    get server(): TestServer {
      return server
    },
    async history(id: string, query = ''): Promise<ChatHistory> {
      const { body } = await client(server).json('GET', `/jobs/chat/history?conversationId=${id}${query}`)
      return body as ChatHistory
    },
    /** Starts an answer that waits at the gate, and gives its names. */
    async held(conversationId: string, where: Gate) {
      model.play([step(says('Half', where, ' done.'))])
      const response = await client(server).post('/jobs/chat', eveRequest('go', { conversationId }))
      await where.reached
      const [run, id] = ['x-run-id', 'x-conversation-id'].map((name) => String(response.headers.get(name)))
      // The model has said it; now it has to reach the log.
      const runText = async () => JSON.stringify((await client(server).json('GET', `/v1/runs/${run}`)).body)
      await expect.poll(runText, { interval: 5 }).toContain('Half')
      return { response, run: run ?? '', id: id ?? '' }
    },
  }
}
