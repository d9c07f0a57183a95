import type { Agent, AgentServices, AgentTools } from '../agents/index.ts'
import type { Config } from '../config/config.ts'
import { ServiceError } from '../errors.ts'
import type { AgentFactory, AgentModule } from '../modules/index.ts'

type AgentInput = Agent<AgentTools> | AgentModule<AgentTools> | AgentFactory

/**
 * Converts every agent to a factory, so that the server treats all alike.
 * @throws ServiceError `invalid-request` for anything else
 */
export function toAgentFactories(agents: readonly AgentInput[]): readonly AgentFactory[] {
  return agents.map((input, index) => {
    if ('create' in input) return checkMigrationNames(input)
    if ('agent' in input) return { id: input.agent.id, create: () => input }
    if ('instructions' in input) return { id: input.id, create: () => ({ agent: input }) }
    throw new ServiceError(
      'invalid-request',
      `agents[${index}] is not an agent. Pass what defineAgent returns, an agent module, or a factory of one.`,
    )
  })
}

/** The names of migrations tell later servers whose they are: see `refuseNewerDatabase`. */
function checkMigrationNames(factory: AgentFactory): AgentFactory {
  const foreign = factory.migrations?.find(({ name }) => !name.startsWith(`${factory.id}-`))
  if (!foreign) return factory
  throw new ServiceError(
    'invalid-request',
    `Agent ${JSON.stringify(factory.id)}: migration ${foreign.name} must be named ${factory.id}-….`,
  )
}

/** Creates all modules. A module that is not configured is left out. */
export async function createModules(
  factories: readonly AgentFactory[],
  services: Omit<AgentServices, 'settings'>,
  config: Config,
): Promise<readonly AgentModule<AgentTools>[]> {
  const created = await Promise.all(
    factories.map(async ({ id, create }) => create({ ...services, settings: config.agents[id] })),
  )
  return created.filter((module) => module !== undefined)
}
