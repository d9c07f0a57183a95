import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'

import {
  CopilotKitCore,
  CopilotKitCoreRuntimeConnectionStatus,
  type CopilotKitCoreConfig,
} from '@copilotkit/core'
import { expect, vi } from 'vitest'

type Agents = NonNullable<CopilotKitCoreConfig['agents__unsafe_dev_only']>
type Agent = Agents[string]
type Tool = NonNullable<CopilotKitCoreConfig['tools']>[number]

/** How a page connects: with its own agent, or with a CopilotKit runtime over REST or over a single endpoint. */
export const ways = ['agent', 'rest', 'single'] as const
export type Way = (typeof ways)[number]

export type Copilot = {
  readonly core: CopilotKitCore
  readonly agent: Agent
  /** What went wrong, as CopilotKit tells its page. */
  readonly errors: readonly string[]
  /** Says something, and runs until nothing is left for the page to do. */
  say(text: string): Promise<void>
  /** What a chat shows: texts as `user: Hello`, calls as `add {"a":1} -> 2` once they have given something. */
  lines(): string[]
  /** Waits until it shows that. */
  shows(...words: readonly string[]): Promise<void>
}

export type CopilotOptions = {
  readonly url: string
  readonly way: Way
  readonly threadId: string
  readonly tools?: readonly Tool[]
  /** Of those that the runtime has; `default` where nothing is said. */
  readonly agentId?: string
}

/** A page with CopilotKit's own core. */
export async function openCopilot({
  url,
  way,
  threadId,
  tools = [],
  agentId = 'default',
}: CopilotOptions): Promise<Copilot> {
  const errors: string[] = []
  // Without one it takes itself to be drawn on a server, where nothing is asked.
  vi.stubGlobal('window', {})
  const pageConfig =
    way === 'agent'
      ? { agents__unsafe_dev_only: { default: await ownAgent(`${url}/ag-ui/jobs`) } }
      : { runtimeUrl: `${url}/copilotkit`, runtimeTransport: way }
  const core = new CopilotKitCore({ ...pageConfig, tools: [...tools] })
  core.subscribe({ onError: ({ code, error }) => void errors.push(`${code}: ${error.message}`) })
  if (way !== 'agent')
    await expect
      .poll(() => core.runtimeConnectionStatus, { timeout: 10_000 })
      .toBe(CopilotKitCoreRuntimeConnectionStatus.Connected)
  const agent = core.getAgent(agentId)
  if (!agent) throw new Error(`There is no agent ${agentId}.`)
  agent.threadId = threadId
  const visibleLines = (): string[] => agent.messages.flatMap((message) => linesOf(message, agent.messages))
  let messageCount = 0
  return {
    core,
    agent,
    errors,
    async say(text) {
      agent.addMessage({ id: `${threadId}-u${++messageCount}-${text.length}`, role: 'user', content: text })
      await core.runAgent({ agent })
    },
    lines: visibleLines,
    shows: (...words) => expect.poll(visibleLines, { timeout: 10_000 }).toEqual(words),
  }
}

/** Of the very package that CopilotKit has: a page has one copy of it. */
async function ownAgent(url: string): Promise<Agent> {
  const from = createRequire(import.meta.resolve('@copilotkit/core'))
  const client = (await import(pathToFileURL(from.resolve('@ag-ui/client')).href)) as {
    HttpAgent: new (config: { url: string }) => Agent
  }
  return new client.HttpAgent({ url })
}

type Message = Agent['messages'][number]

function linesOf(message: Message, among: readonly Message[]): string[] {
  if (message.role === 'assistant') {
    const calls = message.toolCalls ?? []
    return [
      ...(message.content ? [`assistant: ${message.content}`] : []),
      ...calls.map(({ id, function: { name, arguments: input } }) => {
        const results = among.flatMap((each) =>
          each.role === 'tool' && each.toolCallId === id ? [` -> ${textOf(each)}`] : [],
        )
        return `${name} ${input}${results.join('')}`
      }),
    ]
  }
  return message.role === 'tool' ? [] : [`${message.role}: ${textOf(message)}`]
}

function textOf({ content }: Message): string {
  return typeof content === 'string' ? content : '…'
}
