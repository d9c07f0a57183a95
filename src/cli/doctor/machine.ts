import { sandboxes } from '../../capabilities/coding/commands/sandbox.ts'
import { workspaces } from '../../capabilities/coding/workspace/workspaces.ts'
import type { Config } from '../../config.ts'
import { oldestNode } from '../../version.ts'
import { notable, well, wrong, type Finding } from './finding.ts'

export async function node(): Promise<Finding[]> {
  const { node: version } = process.versions
  const isOld = version.localeCompare(oldestNode, undefined, { numeric: true }) < 0
  return [
    isOld ? wrong(`Node ${version} is too old: it must be ${oldestNode} or newer.`) : well(`Node ${version}`),
  ]
}

/** What the coding agent may work in. */
export async function roots({ roots: served }: Config): Promise<Finding[]> {
  const { notes } = await workspaces(served).condition()
  const told = notes.map((note) => notable(`Roots: ${note}`))
  return served.length === 0 ? told : [well(`Roots: ${served.join(', ')}`), ...told]
}

/** Whether commands are shut off from the rest of this machine: tried as the server does. */
export async function sandbox({ env, home }: Pick<Config, 'env' | 'home'>): Promise<Finding[]> {
  const { works, note } = await sandboxes({ env, home }).found()
  return [works ? well(`Sandbox: ${note}`) : notable(`Sandbox: ${note}`)]
}
