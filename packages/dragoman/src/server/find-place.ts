import { hostname } from 'node:os'

import type { Cluster } from '../cluster/index.ts'
import type { Config } from '../config/config.ts'
import type { RunsOptions } from '../runs/index.ts'

/** Whose files this node works on. A single node has no place: its database may move to another machine. */
export function findPlace(
  { place = hostname() }: Pick<Config, 'place'>,
  cluster: Cluster | undefined,
): Partial<Pick<RunsOptions, 'place' | 'hasPlace' | 'hasOtherNode'>> {
  if (!cluster) return {}
  const hasPlace = async (name: string): Promise<boolean> =>
    (await cluster.nodes()).some((node) => node.isAlive && node.place === name)
  const hasOtherNode = async (owner: string): Promise<boolean> =>
    (await cluster.nodes()).some((node) => node.isAlive && node.name !== owner)
  return { place, hasPlace, hasOtherNode }
}
