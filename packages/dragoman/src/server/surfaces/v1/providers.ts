import { Hono, type Context } from 'hono'
import { z } from 'zod'

import { describeRoute, type Operation } from '../../../agents/index.ts'
import { ServiceError } from '../../../errors.ts'
import { modelName, parseBody } from '../../../protocols/index.ts'
import { readJson, type HttpEnv } from '../../http/index.ts'

const providerShape = z
  .object({
    name: z.string(),
    ready: z.boolean().describe('Whether its models can be called.'),
    reason: z.string().describe('Why, or why not.'),
    saved: z.boolean().describe('Whether something is saved for it. A saved key is never shown.'),
    model: z.string().nullable().describe('The model that is chosen for it. null: its usual one.'),
    needsKey: z.boolean().describe('false: a program on this machine, such as Ollama.'),
    fromEnvironment: z
      .boolean()
      .describe('Whether the environment of the server has its key, which decides.'),
    baseUrl: z.string().nullable().describe('Its address. null: its usual one.'),
    custom: z
      .boolean()
      .describe('Whether the owner has added it: any address with OpenAI’s chat completions.'),
    models: z.array(z.string()).readonly().optional().describe('What it offers for chats, if it says so.'),
    problem: z.string().optional().describe('Why it says nothing.'),
  })
  .meta({ id: 'Provider' })

/** What is saved for a provider. An empty address is its usual one. What is absent stays. */
export type ProviderChanges = {
  readonly apiKey?: string | undefined
  readonly model?: string | undefined
  readonly baseUrl?: string | undefined
}

/** Keeps the keys of model providers. */
export type ProviderKeys = {
  list(): Promise<z.infer<typeof providerShape>[]>
  /** @throws ServiceError `not-found`, `invalid-request`; `conflict` for several nodes without a secret */
  save(name: string, changes: ProviderChanges): Promise<void>
  /** @throws ServiceError `not-found` */
  remove(name: string): Promise<void>
  /** Uses what another node has saved or removed meanwhile. Never rejects, and waits for 2 s at most. */
  refresh(): Promise<void>
  /** @throws ServiceError `unavailable` if something is saved that this process cannot open */
  requireOpened(): void
}

export type ProviderOptions = {
  /** Undefined if the application brings its own models. */
  readonly keys: ProviderKeys | undefined
}

const group = 'Server'
const params = z.object({ name: z.string().meta({ examples: ['ollama'] }) })

const savedBody = z
  .object({
    apiKey: z
      .string()
      .trim()
      .max(500)
      .regex(/^(?!.*\$\{)[\x21-\x7e]+$/, 'must be the key alone, without spaces')
      .optional(),
    baseUrl: z
      .string()
      .trim()
      .max(500)
      .regex(/^(?:https?:\/\/(?!.*\$\{)[\x21-\x7e]+)?$/, 'must be an http or https address')
      .optional(),
    model: modelName.regex(/^(?!.*\$\{)[\x21-\x7e]+$/, 'must be a name without spaces').optional(),
  })
  .meta({ examples: [{ model: 'qwen3:8b' }] })

const listProviders: Operation = {
  group,
  summary: 'List the model providers, and the programs on this machine that run models',
  responses: {
    200: {
      description: 'All that can be configured by a key or a model.',
      json: z.object({
        mayChange: z.boolean().describe('Whether you are the owner of the server, who may save keys.'),
        providers: z.array(providerShape),
      }),
    },
  },
}

const saveProvider: Operation = {
  group,
  summary: 'Save a key or a model of a provider',
  description:
    'In the database, sealed with the secret of the server. It is in effect at once, on all nodes. The provider is ' +
    'asked for its models first: a key that it refuses is not saved. A name that is new, with a baseUrl, adds a ' +
    'provider with OpenAI’s chat completions; the address may be a private one. ' +
    'Only the owner of the server may do so.',
  params,
  body: savedBody,
  responses: { 204: { description: 'It is saved.' } },
  errors: ['conflict', 'forbidden', 'not-found'],
}

const removeProvider: Operation = {
  group,
  summary: 'Remove what is saved for a provider',
  params,
  responses: { 204: { description: 'Nothing is saved any more.' } },
  errors: ['forbidden', 'not-found'],
}

/** Routes for the keys of model providers. */
export function providerRoutes({ keys }: ProviderOptions): Hono<HttpEnv> {
  const mayChange = (c: Context<HttpEnv>): boolean => keys !== undefined && c.get('isOwner')
  const requireOwner = (c: Context<HttpEnv>): ProviderKeys => {
    if (keys && mayChange(c)) return keys
    throw new ServiceError('forbidden', 'Only the owner of the server may change its model providers.')
  }
  return new Hono<HttpEnv>()
    .get('/', describeRoute(listProviders), async (c) => {
      const isOwner = mayChange(c)
      return c.json({ mayChange: isOwner, providers: isOwner && keys ? await keys.list() : [] })
    })
    .put('/:name', describeRoute(saveProvider), async (c) => {
      const changes = parseBody(savedBody, await readJson(c))
      await requireOwner(c).save(c.req.param('name'), changes)
      return c.body(null, 204)
    })
    .delete('/:name', describeRoute(removeProvider), async (c) => {
      await requireOwner(c).remove(c.req.param('name'))
      return c.body(null, 204)
    })
}
