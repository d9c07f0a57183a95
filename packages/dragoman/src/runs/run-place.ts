import { ServiceError } from '../errors.ts'
import type { Thread } from '../threads/index.ts'
import type { ResolvedAgent, RunsOptions } from './ports.ts'

/**
 * The place that a run needs, if its agent works on files of one machine: where its conversation began. The
 * conversation's metadata hold it.
 * @throws ServiceError `unavailable` if no node is there now
 */
export async function placeOfRun(
  agent: string,
  thread: Thread | undefined,
  { agents, place, hasPlace }: Pick<RunsOptions, 'agents' | 'place' | 'hasPlace'>,
): Promise<string | undefined> {
  if (place === undefined || !agents.get(agent)?.needsPlace) return undefined
  const { place: stored } = thread?.metadata ?? {}
  if (typeof stored !== 'string' || stored === place) return place
  if (await hasPlace?.(stored)) return stored
  throw new ServiceError(
    'unavailable',
    `The files of this conversation are at "${stored}", and no node of that place runs now.`,
  )
}

/** Whether a conversation's files are at another place than this node's. */
export function isElsewhere(
  { needsPlace }: Pick<ResolvedAgent, 'needsPlace'>,
  thread: Thread | undefined,
  place: string | undefined,
): boolean {
  const { place: stored } = thread?.metadata ?? {}
  return needsPlace === true && place !== undefined && typeof stored === 'string' && stored !== place
}
