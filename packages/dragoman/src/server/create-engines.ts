import type { AgentEngine, EngineFactory } from '../agents/index.ts'
import { defaultEngine } from '../engine/index.ts'
import type { Models } from '../models/index.ts'
import type { ServerOptions } from './server-options.ts'

/** The server's own engine, by the names that an agent may give. `ai-sdk` is its earlier name. */
export const coreEngines: readonly EngineFactory[] = ['default', 'ai-sdk'].map((name) => ({
  name,
  create: defaultEngine,
}))

/** The engines of a server, its own and those of the application, by name. */
export function createEngines(models: Models, engines: ServerOptions['engines'] = []) {
  const factories = new Map<string, AgentEngine | EngineFactory>(
    [...coreEngines, ...engines].map((each) => [each.name, each]),
  )
  const created = new Map(
    Array.from(factories, ([name, each]) => [name, 'create' in each ? each.create(models) : each]),
  )
  return { factories, created }
}
