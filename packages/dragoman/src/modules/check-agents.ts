import {
  inputSchemaOf,
  modelFault,
  modelSettings,
  normalizeTools,
  toolChoiceFault,
  type AgentModel,
  type AgentTools,
  type ModelSettings,
} from '../agents/index.ts'
import { isServiceError, ServiceError } from '../errors.ts'
import { parseServers } from '../mcp/index.ts'
import type { AgentModule } from './agent-module.ts'
import { demoFault, demoToolFault } from './demo-fault.ts'
import { moduleFieldFault } from './module-fields.ts'
import { normalizeToolsFor } from './normalize-tools-for.ts'

/** The names that an agent may use: engines, and models if all their names are known. */
type KnownNames = {
  readonly engines: readonly string[]
  readonly models?: KnownModels
  /** The first parts of the paths that protocols have. */
  readonly paths?: readonly string[]
}

/** Checks of names and models by the configured models. */
type KnownModels = {
  /** A clause that follows the name. */
  readonly nameFault: (name: string) => string | undefined
  /** A sentence about the model that would answer. */
  readonly choiceFault: (settings: ModelSettings) => string | undefined
}

const ID = /^[a-z][\w-]{0,63}$/i
/** The first parts of the paths that the server itself answers. */
const RESERVED = new Set(['api', 'auth', 'console', 'docs', 'health', 'metrics', 'ready', 'socket-io', 'v1'])

/**
 * Checks each agent before anything starts, and converts its tools to tools of this server.
 *
 * @throws ServiceError `invalid-request` for an agent that cannot work: the sentence names the agent, the tool,
 * the field and the problem
 */
export async function checkAgents(
  modules: readonly AgentModule<AgentTools>[],
  names: KnownNames,
): Promise<readonly AgentModule[]> {
  const ids = new Set<string>()
  const normalized: AgentModule[] = []
  for (const module of modules) {
    const { id } = module.agent
    const fault = moduleFieldFault(module) ?? agentFault(module, names) ?? demoFault(module)
    if (fault !== undefined) throw agentError(id, fault)
    parseServers(module.agent.mcp, `Agent ${JSON.stringify(id)}`)
    if (ids.has(id.toLowerCase())) throw agentError(id, 'id is used by two agents. Rename one of them.')
    // Folders of some systems do not tell capitals from small letters.
    ids.add(id.toLowerCase())
    normalized.push(await normalizeModule(module))
  }
  return normalized
}

/** The tools of one run are converted when the run asks for them. */
async function normalizeModule({
  agent,
  toolsFor,
  ...module
}: AgentModule<AgentTools>): Promise<AgentModule> {
  if (typeof agent.tools !== 'object' || agent.tools === null)
    throw agentError(agent.id, 'tools must be a list or an object. An agent without tools has an empty list.')
  try {
    const tools = normalizeTools(agent.tools)
    for (const tool of tools) await inputSchemaOf(tool)
    const normalized = {
      ...module,
      agent: { ...agent, tools },
      ...(toolsFor && { toolsFor: normalizeToolsFor(toolsFor) }),
    }
    const fault = demoToolFault(normalized)
    if (fault !== undefined) throw new ServiceError('invalid-request', fault)
    return normalized
  } catch (error) {
    if (!isServiceError(error)) throw error
    throw agentError(agent.id, error.message)
  }
}

function agentFault(
  { agent }: AgentModule<AgentTools>,
  { engines, models, paths = [] }: KnownNames,
): string | undefined {
  const { id, instructions, engine, model, maxSteps, toolChoice, prepareStep } = agent
  if (!ID.test(id))
    return 'id must begin with a letter and have only letters, digits, hyphens and underscores.'
  if (RESERVED.has(id.toLowerCase()) || paths.includes(id.toLowerCase()))
    return 'id is a path of the server itself. Choose another one.'
  if (typeof instructions !== 'string') return 'instructions must be a string.'
  if (!Number.isInteger(maxSteps) || maxSteps < 1) return 'maxSteps must be a whole number from 1.'
  if (typeof engine !== 'string' && !isEngine(engine))
    return 'engine must be the name of an engine, or what customEngine or piEngine returns.'
  if (typeof engine === 'string' && !engines.includes(engine))
    return `engine ${JSON.stringify(engine)} is not known. Use one of ${engines.join(', ')}.`
  const choiceFault = toolChoiceFault(toolChoice)
  if (choiceFault !== undefined) return `toolChoice ${choiceFault}.`
  if (prepareStep !== undefined && typeof prepareStep !== 'function') return 'prepareStep must be a function.'
  return modelFault(model) ?? (models && configurationFault(model, models))
}

function isEngine(engine: unknown): boolean {
  if (typeof engine !== 'object' || engine === null || !('name' in engine)) return false
  const method = 'create' in engine ? engine.create : 'run' in engine ? engine.run : undefined
  return typeof method === 'function'
}

function configurationFault(model: AgentModel | undefined, models: KnownModels): string | undefined {
  const settings = modelSettings(model)
  for (const field of ['primary', 'fallback'] as const) {
    const name = settings[field]
    const fault = typeof name === 'string' ? models.nameFault(name) : undefined
    const place = typeof model === 'string' ? 'model' : `model.${field}`
    if (fault !== undefined) return `${place} ${JSON.stringify(name)} ${fault}`
  }
  const fault = models.choiceFault(settings)
  return fault === undefined ? undefined : `model ${fault}`
}

function agentError(id: string, sentence: string): ServiceError {
  return new ServiceError('invalid-request', `Agent ${JSON.stringify(id)}: ${sentence}`)
}
