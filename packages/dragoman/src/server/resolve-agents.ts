import {
  modelSettings,
  type Agent,
  type DemoScript,
  type ModelSettings,
  type AgentEngine,
  type EngineFactory,
} from '../agents/index.ts'
import type { Quota } from '../access/quota/index.ts'
import { ServiceError } from '../errors.ts'
import type { CallMeter, Run } from '../events/index.ts'
import { createLlmConfigResolver, createToolModel, type ModelMeter, type Models } from '../models/index.ts'
import type { AgentModule } from '../modules/index.ts'
import type { ResolvedAgent } from '../runs/index.ts'
import { drivesModel, type ModelAccess } from './model-access.ts'
import type { SurfaceServices } from './surfaces/index.ts'

/** What users may ask of models for the tools of their runs. */
export type RunAccess = { readonly modelAccess: ModelAccess; readonly quotas: Pick<Quota, 'chargeInRun'> }

/**
 * Each agent with its engine and the model for its tools.
 * @throws ServiceError `invalid-request` for an engine that is not installed
 */
export function resolveAgents(
  modules: readonly AgentModule[],
  engines: ReadonlyMap<string, AgentEngine>,
  models: Models,
  access: RunAccess,
): Map<string, ResolvedAgent> {
  return new Map(
    modules.map((module) => {
      const { context, toolsFor, outputGuardrail, inputGuardrail, guests, needsPlace } = module
      const { tools, ...profile } = withDemo(module)
      const agent = { ...profile, tools: tools.filter(({ client }) => !client) }
      const clientTools = tools.filter(({ client }) => client)
      const engine = findEngine(agent, engines, models)
      if (!engine)
        throw new ServiceError(
          'invalid-request',
          `Agent ${agent.id} wants the engine ${JSON.stringify(agent.engine)}, which is not here.`,
        )
      const model: ResolvedAgent['model'] = (run, meter) =>
        createToolModel(
          () => models.choose(access.modelAccess.settingsFor(agent, run.userId)),
          meterInRun(access, { runId: run.id, userId: run.userId, agent: agent.id }, meter),
        )
      return [
        agent.id,
        {
          agent,
          engine,
          model,
          ...(context && { context }),
          ...(toolsFor && { toolsFor }),
          ...(clientTools.length > 0 && { clientTools }),
          ...(outputGuardrail && { outputGuardrail }),
          ...(inputGuardrail && { inputGuardrail }),
          ...(guests && { guestSteps: guests.maxSteps }),
          ...(needsPlace && { needsPlace }),
        },
      ]
    }),
  )
}

/** What a tool asks belongs to its run, which has its place in the quota. */
function meterInRun(
  { quotas }: RunAccess,
  payer: Parameters<Quota['chargeInRun']>[0],
  meter: CallMeter,
): ModelMeter {
  return (_promptTokens, ask) => quotas.chargeInRun(payer, { meter, ask })
}

/** The agent's engine: one of the server's, or its own. */
function findEngine(
  { engine }: Agent,
  engines: ReadonlyMap<string, AgentEngine>,
  models: Models,
): AgentEngine | undefined {
  if (typeof engine === 'string') return engines.get(engine)
  return 'create' in engine ? engine.create(models) : engine
}

/** Adds the demo script to the agent's model settings: `Models.choose` passes it to the demo model. */
function withDemo({ agent, demo }: AgentModule): Agent {
  if (!demo) return agent
  const model: ModelSettings & { readonly demo: DemoScript } = { ...modelSettings(agent.model), demo }
  return { ...agent, model }
}

/** Resolves an agent for one request of a user, with the model that the caller's `llmConfig` asks for. */
export type ResolveForCaller = SurfaceServices['resolveForCaller']

type CallerResolverOptions = {
  readonly staff: ReadonlyMap<string, ResolvedAgent>
  /** By name. A factory can create an engine for the models of a caller. */
  readonly engines: ReadonlyMap<string, AgentEngine | EngineFactory>
  readonly models: Models
  readonly access: RunAccess
  readonly outward: Parameters<typeof createLlmConfigResolver>[0]['network']
  readonly answers: Parameters<typeof createLlmConfigResolver>[0]['answers']
}

/** The caller's key is held only by the resolved agent, so it is gone with the run. */
export function createCallerResolver({
  staff,
  engines,
  models: servers,
  access,
  outward,
  answers,
}: CallerResolverOptions): ResolveForCaller {
  const callerModels = createLlmConfigResolver({ models: servers, network: outward, answers })
  return async (id, { userId, llmConfig }, signal) => {
    const resolved = staff.get(id)
    if (!resolved) throw new ServiceError('not-found', `There is no agent ${id}.`)
    const { agent } = resolved
    const defaults = {
      model: modelSettings(agent.model),
      requireModel: (name: string) => void access.modelAccess.settingsFor(agent, userId, name),
    }
    const { models, model, isOwners } = await callerModels(llmConfig, defaults, signal)
    const { engine: ownEngine } = agent
    const factory = typeof ownEngine === 'string' ? engines.get(ownEngine) : ownEngine
    const callerEngine = models && factory && 'create' in factory ? factory.create(models) : undefined
    const engine = models ? callerEngine : resolved.engine
    if (!engine)
      throw new ServiceError(
        'invalid-request',
        `llmConfig: what drives ${agent.name} takes no model of its caller's.`,
      )
    const own = { ...agent, model }
    const ownKey = models !== undefined && !isOwners
    return {
      ...resolved,
      agent: own,
      engine,
      ...(ownKey && { ownKey: true }),
      model: (run, meter) =>
        createToolModel(
          () => models?.choose(model) ?? servers.choose(access.modelAccess.settingsFor(own, run.userId)),
          ownKey
            ? (_promptTokens, ask) => ask(meter)
            : meterInRun(access, { runId: run.id, userId: run.userId, agent: id }, meter),
        ),
    }
  }
}

/** The model of each agent that uses the server's models. */
export function modelNames(modules: readonly AgentModule[], models: Models): Record<string, string> {
  const modelAgents = modules.filter(({ agent }) => drivesModel(agent))
  return Object.fromEntries(
    modelAgents.map(({ agent }) => [agent.id, models.choose(modelSettings(agent.model)).name]),
  )
}

/** The model that is to answer a run, by its full name. Undefined for other agents, and for a name that is no model. */
export function modelOfRun(staff: ReadonlyMap<string, ResolvedAgent>, models: Models) {
  return ({ agent: id, request }: Run): string | undefined => {
    const agent = staff.get(id)?.agent
    if (!agent || !drivesModel(agent)) return undefined
    const settings = modelSettings(agent.model)
    const { model: primary } = request
    try {
      return models.choose(primary === undefined ? settings : { ...settings, primary, isRequested: true })
        .name
    } catch {
      return undefined
    }
  }
}

/** The agent after agent.json has been applied. @throws ServiceError `not-found` */
export function findAgent(modules: readonly AgentModule[], id: string): Agent {
  const found = modules.find(({ agent }) => agent.id === id)
  if (!found) throw new ServiceError('not-found', `There is no agent ${id}.`)
  return found.agent
}
