import { Hono } from 'hono'
import { z } from 'zod'

import { describeRoute, type AgentTranslations, type Operation } from '../../../agents/index.ts'
import { isGuest } from '../../../events/index.ts'
import type { HttpEnv } from '../../http/index.ts'
import type { OfferedView } from '../page/view-routes.ts'
import { readQuery } from '../paging.ts'
import type { Protocols } from '../select-protocol.ts'

type Sentence = { readonly en: string; readonly zh: string }

/** An agent, as a page offers it. */
export type OfferedAgent = {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly translations: AgentTranslations
  readonly isDefault: boolean
  readonly admitsGuests: boolean
  /** What the agent lacks on this machine. Undefined if it lacks nothing. */
  readonly condition:
    | (() => Promise<{ readonly available: boolean; readonly notes: readonly string[] }>)
    | undefined
  /** The model that answers a user now. */
  readonly model: (userId: string) => { readonly name: string; readonly why: string }
  /** Messages that a user can try. */
  readonly prompts: readonly Sentence[]
  readonly views: readonly OfferedView[]
}

export type AgentsOptions = {
  readonly agents: readonly OfferedAgent[]
  /** Those that a user can choose: for an agent, if one is named. */
  readonly modelsFor: (userId: string, agent?: string) => Promise<readonly string[]>
  readonly protocols: Protocols
}

const sentence = z.object({ en: z.string(), zh: z.string() })
const view = z.object({
  kind: z.enum(['card', 'welcome', 'page', 'panel']),
  module: z.string().describe('Its address.'),
  tools: z
    .array(z.string())
    .readonly()
    .exactOptional()
    .describe('Of a card: the tools whose calls it shows.'),
  isLive: z
    .literal(true)
    .exactOptional()
    .describe('Of a card: whether it also shows calls that wait, run or have failed.'),
  title: z
    .object({ en: z.string() })
    .catchall(z.string())
    .exactOptional()
    .describe('Of a page or panel: its name by language.'),
})

const listAgents: Operation = {
  group: 'Server',
  summary: 'List the agents',
  responses: {
    200: {
      description: 'Every agent that the caller may talk to, the default one first.',
      json: z.object({
        agents: z.array(
          z
            .object({
              id: z.string(),
              name: z.string(),
              description: z.string(),
              translations: z
                .record(
                  z.string(),
                  z.object({ name: z.string().exactOptional(), description: z.string().exactOptional() }),
                )
                .describe('Name and description in other languages.'),
              ready: z.boolean().describe('Whether it can do its work on this machine.'),
              notes: z.array(z.string()).describe('What its owner should know of that.'),
              model: z.object({
                name: z
                  .string()
                  .describe('The model that answers now, unless a thread or a run names another.'),
                reason: z.string(),
                demo: z.boolean().describe('Whether it is the demo model, which needs no key.'),
              }),
              prompts: z.array(sentence).describe('Messages that can be tried.'),
              views: z.array(view).describe('Browser modules of the console.'),
            })
            .meta({ id: 'Agent' }),
        ),
      }),
    },
  },
}

const modelsQuery = z.object({
  agent: z.string().optional().describe('Those that can be chosen for this agent.'),
})

const listModels: Operation = {
  group: 'Server',
  summary: 'List the models',
  description:
    'A thread or a run can name any of them as its model. Where `models.allowed` has `*`, it can name others too, ' +
    'as provider/model. What providers list is asked of them, and remembered for ten minutes.',
  query: modelsQuery,
  responses: {
    200: {
      description: 'Their full names. None if the server has one model for everything.',
      json: z.object({ models: z.array(z.object({ name: z.string(), provider: z.string() })) }),
    },
  },
}

const listProtocols: Operation = {
  group: 'Server',
  summary: 'List the protocols in which a run can be read',
  responses: {
    200: {
      description: 'Each can be named as protocol= where a run is read.',
      json: z.object({
        protocols: z.array(
          z.object({
            name: z.string(),
            framing: z.enum(['events', 'lines']).describe('Server-sent events, or lines without cursors.'),
          }),
        ),
      }),
    },
  },
}

/** Routes for what a user can choose: agents, models and protocols. */
export function agentRoutes({ agents, modelsFor, protocols }: AgentsOptions): Hono<HttpEnv> {
  const sorted = agents.toSorted((a, b) => Number(b.isDefault) - Number(a.isDefault))
  return new Hono<HttpEnv>()
    .get('/agents', describeRoute(listAgents), async (c) => {
      const userId = c.get('userId')
      const describeAll = (all: readonly OfferedAgent[]) =>
        Promise.all(all.map((agent) => describeAgent(agent, userId)))
      if (!isGuest(userId)) return c.json({ agents: await describeAll(sorted) })
      const open = await describeAll(sorted.filter(({ admitsGuests }) => admitsGuests))
      return c.json({ agents: open.map(forGuest) })
    })
    .get('/models', describeRoute(listModels), async (c) => {
      const names = await modelsFor(c.get('userId'), readQuery(c, modelsQuery).agent)
      return c.json({ models: names.map((name) => ({ name, provider: name.split('/', 1)[0] })) })
    })
    .get('/protocols', describeRoute(listProtocols), (c) =>
      c.json({ protocols: Array.from(protocols.values(), ({ name, framing }) => ({ name, framing })) }),
    )
}

/** Keys, models and the machine are the owner's business. */
function forGuest(agent: Awaited<ReturnType<typeof describeAgent>>): typeof agent {
  return { ...agent, notes: [], model: { ...agent.model, reason: '' } }
}

async function describeAgent({ condition, model, prompts, views, ...offered }: OfferedAgent, userId: string) {
  const { id, name, description, translations } = offered
  const { available, notes } = (await condition?.()) ?? { available: true, notes: [] }
  const { name: modelName, why } = model(userId)
  return {
    id,
    name,
    description,
    translations,
    ready: available,
    notes,
    model: { name: modelName, reason: why, demo: modelName === 'offline' },
    prompts,
    views,
  }
}
