import { ServiceError } from '../errors.ts'
import type { Agent } from './agent.ts'
import type { AgentTools } from './normalize-tools.ts'

/**
 * The required and the optional fields of an agent.
 *
 * @example
 * const options: AgentOptions<readonly Tool[]> = { id: 'dice', instructions: 'Roll dice.', tools: [roll] }
 * const dice = defineAgent(options)
 */
export type AgentOptions<Tools = AgentTools> = Pick<Agent<Tools>, 'id' | 'instructions' | 'tools'> &
  Partial<Agent<Tools>>

const DEFAULT_MAX_STEPS = 10

const FIELDS: Readonly<Record<keyof Agent, true>> = {
  id: true,
  name: true,
  description: true,
  translations: true,
  instructions: true,
  runInstructions: true,
  engine: true,
  model: true,
  models: true,
  tools: true,
  mcp: true,
  toolChoice: true,
  prepareStep: true,
  maxSteps: true,
  titleLength: true,
  finalPrompt: true,
  historyWindow: true,
}

/**
 * Defines an agent. Only `id`, `instructions` and `tools` are required.
 *
 * @throws ServiceError `invalid-request` for an unknown field
 *
 * @example
 * const dice = defineAgent({ id: 'dice', instructions: 'Roll dice with your tool.', tools: [roll] })
 */
export function defineAgent<const Tools extends AgentTools>(options: AgentOptions<Tools>): Agent<Tools> {
  const unknown = Object.keys(options).find((field) => !Object.hasOwn(FIELDS, field))
  if (unknown !== undefined)
    throw new ServiceError(
      'invalid-request',
      `Agent ${JSON.stringify(options.id)}: ${unknown} is not a field of an agent. The fields are ` +
        `${Object.keys(FIELDS).join(', ')}.`,
    )
  return {
    name: options.id,
    description: '',
    engine: 'default',
    maxSteps: DEFAULT_MAX_STEPS,
    ...options,
  }
}
