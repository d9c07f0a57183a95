import { access, constants, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

import { withAgentFiles } from '../../agent-files.ts'
import type { Configured } from '../../agent/index.ts'
import type { Config } from '../../config.ts'
import { openDatabase } from '../../db/index.ts'
import { machineOf } from '../../machine.ts'
import { builtIn } from '../../main.ts'
import type { Models } from '../../models/index.ts'
import { agentOf } from '../../staff.ts'
import { notable, reasonOf, well, wrong, type Finding } from './finding.ts'

export async function homeFolder({ home }: Config): Promise<Finding[]> {
  try {
    const found = await stat(home)
    if (!found.isDirectory()) return [wrong(`Home: ${home} is no folder.`)]
    await access(home, constants.R_OK | constants.W_OK | constants.X_OK)
    const mode = (found.mode & 0o777).toString(8)
    const isOpen = process.platform !== 'win32' && (found.mode & 0o077) !== 0
    return [
      well(`Home: ${home} can be written to.`),
      ...(isOpen
        ? [notable(`Home: others on this machine may look into it (mode ${mode}): chmod 700 ${home}`)]
        : []),
    ]
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) {
      return [wrong(`Home: ${home} cannot be used: ${reasonOf(error)}.`)]
    }
    const above = await nearest(home)
    return [
      (await mayWrite(above))
        ? notable(`Home: ${home} is not there yet. The first start makes it.`)
        : wrong(`Home: ${home} cannot be made: ${above} may not be written to.`),
    ]
  }
}

async function nearest(path: string): Promise<string> {
  const above = dirname(path)
  const isThere = await stat(above).then(
    () => true,
    () => false,
  )
  return isThere || above === path ? above : nearest(above)
}

function mayWrite(folder: string): Promise<boolean> {
  return access(folder, constants.W_OK).then(
    () => true,
    () => false,
  )
}

/** The agents as their files leave them, and what is to be said of these. */
export async function agents(config: Config): Promise<{ found: readonly Configured[]; findings: Finding[] }> {
  const problems: string[] = []
  const db = openDatabase(':memory:')
  // Made only where something is asked of it, which nothing here does: a mistake in models.yaml is told elsewhere.
  const models: Models = { choose: (wished) => builtIn.models(config).choose(wished) }
  const machine = machineOf(config, {
    models,
    agents: (id) => agentOf(found, id),
    report: () => undefined,
    contextOf: async () => ({}),
    remember: async () => undefined,
    search: async () => [],
    delegate: async () => '',
  })
  const found: readonly Configured[] = withAgentFiles(await builtIn.capabilities(db, machine), {
    ...config,
    engines: Object.keys(builtIn.engines),
    warn: (problem) => problems.push(problem),
  })
  await db.destroy()
  const findings = problems.map((problem) => wrong(`Agents: ${problem}`))
  for (const { agent, notUsed } of found) {
    if (notUsed.length === 0) continue
    findings.push(
      notable(`Agents: agents/${agent.id}/agent.json says what has no effect: ${notUsed.join(', ')}.`),
    )
  }
  return { found, findings }
}
