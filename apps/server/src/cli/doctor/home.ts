import { access, constants, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

import { modelSettings } from 'dragoman/agents'
import { createAgentServices, configuredModels, coreEngines, createModules, agentOf } from 'dragoman/server'
import type { Config } from 'dragoman/config'
import { openDatabase } from 'dragoman/database'
import { bundledAgents, bundledParts } from '../../main.ts'
import { toolModel, type Models } from 'dragoman/models'
import { checkAgents, withAgentFiles, type ConfiguredModule } from 'dragoman/modules'
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

/** The agents with the changes of their agent.json files, and what is wrong with those files. */
export async function agents(
  config: Config,
): Promise<{ found: readonly ConfiguredModule[]; findings: Finding[] }> {
  const problems: string[] = []
  const engines = [...coreEngines, ...bundledParts.engines].map(({ name }) => name)
  const db = openDatabase(':memory:')
  // Created only if something asks for it: an error of models.yaml is another check's.
  const models: Models = { choose: (wished) => configuredModels(config).choose(wished) }
  const services = createAgentServices(config, {
    database: db,
    model: (id) => toolModel(() => models.choose(modelSettings(agentOf(found, id).model))),
    report: () => undefined,
    warn: () => undefined,
    contextOf: async () => ({}),
    remember: async () => undefined,
    search: async () => [],
    exportConversations: async () => [],
    eraseConversations: async () => 0,
    delegate: async () => '',
    delegates: () => [],
  })
  const found: readonly ConfiguredModule[] = withAgentFiles(
    await checkAgents(await createModules(bundledAgents, services, config), { engines }),
    { ...config, engines, warn: (problem) => problems.push(problem) },
  )
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

/** What the agents say of themselves. */
export async function ownFindings(config: Config): Promise<Finding[]> {
  const { found } = await agents(config)
  const all = await Promise.all(found.map(async ({ doctor }) => (await doctor?.()) ?? []))
  return all.flat().map(({ level, text }) => FROM_LEVEL[level](text))
}

const FROM_LEVEL = { ok: well, note: notable, problem: wrong }
