import type { Agent, Capability } from './agent/index.ts'
import type { AgentEngine } from './engines/index.ts'
import { ServiceError } from './errors.ts'
import { toolModel, type Models } from './models/index.ts'
import type { Staff } from './runs/index.ts'

/** Each agent with the engine that drives it and the model that its tools may ask. @throws ServiceError `invalid-request` for an engine that is not here */
export function staffOf(
  capabilities: readonly Capability[],
  engines: ReadonlyMap<string, AgentEngine>,
  models: Models,
): Map<string, Staff> {
  return new Map(
    capabilities.map(({ agent, tools, settleContext }) => {
      const engine = engines.get(agent.engine)
      if (!engine)
        throw new ServiceError(
          'invalid-request',
          `Agent ${agent.id} wants the engine ${agent.engine}, which is not here.`,
        )
      const model: Staff['model'] = (count) => toolModel(() => models.choose(agent.model), count)
      return [agent.id, { agent, tools, engine, model, ...(settleContext && { settleContext }) }]
    }),
  )
}

/** Which model answers for each agent now. */
export function modelsOf(capabilities: readonly Capability[], models: Models): Record<string, string> {
  return Object.fromEntries(capabilities.map(({ agent }) => [agent.id, models.choose(agent.model).name]))
}

/** An agent as its file leaves it. @throws ServiceError `not-found` */
export function agentOf(capabilities: readonly Capability[], id: string): Agent {
  const found = capabilities.find(({ agent }) => agent.id === id)
  if (!found) throw new ServiceError('not-found', `There is no agent ${id}.`)
  return found.agent
}
