import type { AgentServices } from '../agents/index.ts'
import { ServiceError } from '../errors.ts'
import { createToolModel, type Models } from '../models/index.ts'
import type { AgentModule } from '../modules/index.ts'
import type { Runs } from '../runs/index.ts'
import type { Quota } from '../access/quota/index.ts'
import type { ModelAccess } from './model-access.ts'
import { createDownloadPlaces } from './download-places.ts'
import type { LoadAccount } from './load/index.ts'
import { findAgent } from './resolve-agents.ts'

type RunningParts = {
  readonly modules: readonly AgentModule[]
  readonly runs: Runs
  readonly delegate: AgentServices['delegate']
  readonly access: {
    readonly modelAccess: ModelAccess
    readonly load: LoadAccount
    /** Asks a model outside of runs, for a user who pays. */
    readonly chargeCall: Quota['charge']
  }
}

/**
 * What agents may ask of the running server. Agents are created before the runs that drive them, so `start` comes
 * later. A call before `start` throws.
 */
export type DeferredAgentServices = Pick<AgentServices, 'delegate' | 'delegates' | 'model'> & {
  start(started: RunningParts): void
  readonly downloadPlace: ReturnType<typeof createDownloadPlaces>
  /** Stops the runs of a thread and deletes them with their logs. */
  readonly forget: (threadId: string) => Promise<void>
  /** Maximum title length of an agent's threads. Undefined if the agent of an old thread is not installed. */
  readonly titleLength: (agentId: string) => number | undefined
}

export function createDeferredAgentServices(models: Models): DeferredAgentServices {
  let started: RunningParts | undefined
  const get = (): RunningParts => {
    if (!started) throw new ServiceError('unavailable', 'The server is still starting.')
    return started
  }
  return {
    start(parts) {
      started = parts
    },
    delegate: async (task) => get().delegate(task),
    delegates: () => get().modules.flatMap(toDelegate),
    model: (agent, userId) =>
      createToolModel(
        () => models.choose(get().access.modelAccess.settingsFor(findAgent(get().modules, agent), userId)),
        (promptTokens, ask) => get().access.chargeCall({ userId, agent, promptTokens }, ask),
      ),
    downloadPlace: async (userId, signal) => createDownloadPlaces(get().access.load)(userId, signal),
    forget: async (threadId) => get().runs.forget(threadId, 'user'),
    titleLength: (id) => get().modules.find(({ agent }) => agent.id === id)?.agent.titleLength,
  }
}

function toDelegate({ agent, delegation }: AgentModule): ReturnType<AgentServices['delegates']> {
  return delegation ? [{ id: agent.id, ...delegation }] : []
}
