import type { Agent, Capability } from './agent/index.ts'
import { workflowEngine, type AgentEngine } from './engines/index.ts'
import { ServiceError } from './errors.ts'
import type { Json } from './events/index.ts'
import { callersModels, toolModel, type Models } from './models/index.ts'
import type { Staff } from './runs/index.ts'

/** Each agent with the engine that drives it and the model that its tools may ask. @throws ServiceError `invalid-request` for an engine that is not here */
export function staffOf(
  capabilities: readonly Capability[],
  engines: ReadonlyMap<string, AgentEngine>,
  models: Models,
): Map<string, Staff> {
  return new Map(
    capabilities.map(({ agent, tools, runners, settleContext, toolsFor, review }) => {
      const engine = runners ? workflowEngine(runners) : engines.get(agent.engine)
      if (!engine)
        throw new ServiceError(
          'invalid-request',
          `Agent ${agent.id} wants the engine ${agent.engine}, which is not here.`,
        )
      const model: Staff['model'] = (count) => toolModel(() => models.choose(agent.model), count)
      return [
        agent.id,
        {
          agent,
          tools,
          engine,
          model,
          ...(settleContext && { settleContext }),
          ...(toolsFor && { toolsFor }),
          ...(review && { review }),
        },
      ]
    }),
  )
}

/** An agent for one request, with the model that its caller's `llmConfig` asks for. */
export type StaffFor = (agent: string, llmConfig: Json | undefined, signal: AbortSignal) => Promise<Staff>

type Server = {
  readonly staff: ReadonlyMap<string, Staff>
  /** By name, what makes an engine for models of any caller's. */
  readonly engines: Readonly<Record<string, (models: Models) => AgentEngine>>
  readonly models: Models
  readonly outward: Parameters<typeof callersModels>[0]['reach']
}

/** A key of the caller's is held by what this gives, and by nothing else: it is gone with the run. */
export function staffForCallers({ staff, engines, models: servers, outward }: Server): StaffFor {
  const wanted = callersModels({ models: servers, reach: outward })
  return async (id, llmConfig, signal) => {
    const usual = staff.get(id)
    if (!usual) throw new ServiceError('not-found', `There is no agent ${id}.`)
    const { models, model } = await wanted(llmConfig, usual.agent.model, signal)
    const engine = models ? engines[usual.agent.engine]?.(models) : usual.engine
    if (!engine)
      throw new ServiceError(
        'invalid-request',
        `llmConfig: what drives ${usual.agent.name} takes no model of its caller's.`,
      )
    return {
      ...usual,
      agent: { ...usual.agent, model },
      engine,
      model: (count) => toolModel(() => (models ?? servers).choose(model), count),
    }
  }
}

/** Which model answers for each agent now that asks one. */
export function modelsOf(capabilities: readonly Capability[], models: Models): Record<string, string> {
  const asking = capabilities.filter(({ runners }) => !runners)
  return Object.fromEntries(asking.map(({ agent }) => [agent.id, models.choose(agent.model).name]))
}

/** An agent as its file leaves it. @throws ServiceError `not-found` */
export function agentOf(capabilities: readonly Capability[], id: string): Agent {
  const found = capabilities.find(({ agent }) => agent.id === id)
  if (!found) throw new ServiceError('not-found', `There is no agent ${id}.`)
  return found.agent
}

/** How long the titles of an agent's conversations are, where it says so: it may be here no more. */
export function titleLengthIn(capabilities: readonly Capability[], id: string): number | undefined {
  return capabilities.find(({ agent }) => agent.id === id)?.agent.titleLength
}

/** What the sessions of the coding agent need of it, where it is here: what becomes of where a client wants to work, and which model may be asked. */
export function sessionsOf(capabilities: readonly Capability[], models: Models) {
  const coding = capabilities.find(({ agent }) => agent.id === 'coding')
  return (
    coding && {
      agent: coding.agent.id,
      settle: async (context: Json, userId: string): Promise<Json> =>
        (await coding.settleContext?.(context, userId, [])) ?? context,
      mustReach: (model: string): void => models.mustReach?.(model),
    }
  )
}
