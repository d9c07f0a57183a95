import { describe, expect, it } from 'vitest'
import { z } from 'zod'

import { defineAgent, defineTool, type AgentTools } from '../agents/index.ts'
import { checkAgents } from './check-agents.ts'

const tool = (name: string, inputSchema: z.ZodType = z.object({})) =>
  defineTool({ name, description: name, inputSchema, execute: () => name })
const scope = {
  userId: 'ada',
  threadId: 'conv_1',
  context: {},
  secrets: null,
  signal: new AbortController().signal,
}

describe('the tools of one run', () => {
  it('do without one that cannot be used, and a note says why', async () => {
    const odd = [tool('ping'), tool('ping'), { type: 'nothing' }, tool('dated', z.date()), tool('pong')]
    const agent = defineAgent({ id: 'dice', instructions: 'x', tools: [] })
    const toolsFor = async () => ({ tools: odd as AgentTools, notes: ['A server is away.'] })
    const [module] = await checkAgents([{ agent, toolsFor }], { engines: ['default'] })

    const found = await module?.toolsFor?.(scope)

    expect(found?.tools.map(({ name }) => name)).toEqual(['ping', 'pong'])
    expect(found?.notes).toEqual([
      'A server is away.',
      'Tool "ping": name is used by two tools. Rename one of them.',
      expect.stringContaining('tools[2] is no tool'),
      expect.stringContaining('The inputSchema of the tool "dated" has no JSON form'),
    ])
  })
})
