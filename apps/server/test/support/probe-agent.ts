import { Hono } from 'hono'
import { z } from 'zod'

import {
  defineAgent,
  defineTool,
  type AgentFactory,
  type AppEnv,
} from '../../../../packages/dragoman/src/index.ts'

/** Asks models in every way in which an agent's code can. */
export const probeAgent: AgentFactory = {
  id: 'probe',
  create: (services) => {
    const look = defineTool({
      name: 'look',
      description: 'Looks.',
      inputSchema: z.object({ at: z.number() }),
      execute: (_input, { model, signal }) => model.text({ instructions: 'Look.', text: 'look' }, signal),
    })
    const routes = new Hono<AppEnv>()
      .get('/ask', async (c) =>
        c.text(
          await services
            .model('probe', c.get('userId'))
            .text({ instructions: 'Answer.', text: 'hi' }, c.req.raw.signal),
        ),
      )
      .get('/delegate', async (c) =>
        c.text(
          await services.delegate({
            agent: 'probe',
            prompt: 'hi',
            userId: c.get('userId'),
            context: {},
            signal: c.req.raw.signal,
            onProgress: () => undefined,
          }),
        ),
      )
    return {
      agent: defineAgent({ id: 'probe', instructions: 'Look.', model: 'sonnet', tools: [look] }),
      routes,
    }
  },
}
