import { Hono } from 'hono'
import { z } from 'zod'

import { describeRoute, type Agent, type Operation } from '../../../agents/index.ts'
import type { HttpEnv } from '../../http/index.ts'

export type StatusOptions = {
  readonly agent: Agent
  readonly condition:
    | (() => Promise<{ readonly available: boolean; readonly notes: readonly string[] }>)
    | undefined
  /** Fields of agent.json without effect, and errors in that file. */
  readonly notUsed: readonly string[]
  readonly problems: readonly string[]
  readonly version: string
  /** The model that answers a user now, and why. */
  readonly model: (userId: string) => { readonly name: string; readonly why: string }
}

const showStatus: Operation = {
  group: 'Chat',
  summary: 'What the agent is made of',
  responses: {
    200: {
      description: 'The agent, and the model that answers now.',
      json: z.object({
        status: z.enum(['ready', 'off']),
        ready: z.boolean().describe('Whether it can do its work on this machine.'),
        notes: z.array(z.string()).describe('What its owner should know of that.'),
        agent: z.string(),
        name: z.string(),
        model: z.string(),
        reason: z.string().describe('Why it is that model.'),
        engine: z.string(),
        maxSteps: z.int().describe('Calls of the model in one run, at most.'),
        tools: z.array(z.object({ name: z.string(), description: z.string() })),
        capabilities: z.array(z.string()),
        version: z.string(),
        notUsed: z.array(z.string()).describe('Fields of its agent.json that have no effect.'),
        problems: z.array(z.string()).describe('What may be a mistake in its agent.json.'),
      }),
    },
  },
}

/** An agent's configuration at `/agent/status` and, as documented elsewhere, at `/status`. */
export function agentStatusRoutes(options: StatusOptions): Hono<HttpEnv> {
  const { agent, condition, notUsed, problems, version, model } = options
  const status = async (userId: string) => {
    const { name, why } = model(userId)
    const { available, notes } = (await condition?.()) ?? { available: true, notes: [] }
    return {
      status: available ? 'ready' : 'off',
      ready: available,
      notes,
      agent: agent.id,
      name: agent.name,
      model: name,
      reason: why,
      engine: typeof agent.engine === 'string' ? agent.engine : agent.engine.name,
      maxSteps: agent.maxSteps,
      tools: agent.tools.map(({ name: tool, description }) => ({ name: tool, description })),
      capabilities: [agent.id],
      notUsed,
      problems,
      version,
    }
  }
  return new Hono<HttpEnv>()
    .get('/agent/status', describeRoute(showStatus), async (c) => c.json(await status(c.get('userId'))))
    .get('/status', describeRoute(showStatus), async (c) => c.json(await status(c.get('userId'))))
}
