import { Hono } from 'hono'

import type { Configured } from '../agent/index.ts'
import type { HttpEnv } from '../transports/index.ts'

export type StatusOptions = {
  readonly capability: Configured
  readonly version: string
  /** The model that answers now, and why it is that one. */
  readonly model: () => { readonly name: string; readonly why: string }
}

/** What an agent is made of, at `/agent/status` and, as elsewhere documented, at `/status`. */
export function agentStatus({ capability, version, model }: StatusOptions): Hono<HttpEnv> {
  const { agent, tools, notUsed, problems } = capability
  const status = () => {
    const { name, why } = model()
    return {
      status: 'ready',
      ready: true,
      agent: agent.id,
      name: agent.name,
      model: name,
      reason: why,
      engine: agent.engine,
      maxSteps: agent.maxSteps,
      tools: tools.map(({ name: tool, description }) => ({ name: tool, description })),
      capabilities: [agent.id],
      notUsed,
      problems,
      version,
    }
  }
  return new Hono<HttpEnv>()
    .get('/agent/status', (c) => c.json(status()))
    .get('/status', (c) => c.json(status()))
}
