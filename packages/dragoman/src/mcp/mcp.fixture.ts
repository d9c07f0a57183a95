import { fileURLToPath } from 'node:url'

import type { Tool, ToolContext } from '../agents/index.ts'
import { testServices } from '../agents/agent-services.fixture.ts'
import { noModel } from '../agents/no-model.fixture.ts'
import { noState } from '../agents/no-state.fixture.ts'
import type { Json } from '../events/index.ts'
import { mcpFeature } from './mcp-feature.ts'
import { parseServers } from './server-config.ts'

/** The program of the official server that has some of everything. */
export const everythingProgram = fileURLToPath(
  import.meta.resolve('@modelcontextprotocol/server-everything/dist/index.js'),
)

export const everything = { command: process.execPath, args: [everythingProgram, 'stdio'] }

/** Connects to these servers and offers their tools to one user. Disposal closes the connections. */
export function openFeature(
  mcp: Json,
  { userId = 'ada', warn }: { readonly userId?: string; readonly warn?: (problem: string) => void } = {},
) {
  const env = { ...process.env, SECRET_KEY: 'not for programs' }
  const room = mcpFeature(parseServers(mcp, 'config.yaml'), testServices({ env, ...(warn && { warn }) }))
  const closing = new AbortController()
  const closed = room.background(closing.signal)
  const offered = (secrets: Json = null) =>
    room.toolsFor({
      userId,
      threadId: 'conv_test',
      context: {},
      secrets,
      signal: new AbortController().signal,
    })
  return {
    room,
    offered,
    /** What the agent's status says of the servers. */
    conditions: async () => (await room.conditions()).map(({ note }) => note),
    async tool(name: string, secrets: Json = null): Promise<Tool> {
      const { tools, notes } = await offered(secrets)
      const found = tools.find((tool) => tool.name === name)
      if (!found) throw new Error(`There is no ${name}. ${notes.join(' ')}`)
      return found
    },
    async [Symbol.asyncDispose]() {
      closing.abort()
      await closed
    },
  }
}

type News = Parameters<ToolContext['progress']>[0]

/** One use of a tool. `told` gets its progress. */
export function call(signal: AbortSignal = new AbortController().signal, news: News[] = []): ToolContext {
  return {
    callId: 'run_1.1',
    runId: 'run_1',
    idempotencyKey: 'run_1/run_1.1',
    userId: 'ada',
    threadId: 'conv_test',
    context: {},
    signal,
    model: noModel,
    state: noState,
    ask: () => Promise.reject(new Error('This call cannot ask.')),
    progress: (update) => void news.push(update),
    data: () => undefined,
  }
}
