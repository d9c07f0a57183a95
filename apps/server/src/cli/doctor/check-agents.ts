import { modelSettings } from 'dragoman/agents'
import type { Config } from 'dragoman/config'
import { openDatabase } from 'dragoman/database'
import { createToolModel, type Models } from 'dragoman/models'
import { checkAgents as checkModules, applyAgentFiles, type ConfiguredModule } from 'dragoman/modules'
import { findAgent, configuredModels, coreEngines, createAgentServices, createModules } from 'dragoman/server'
import { bundledAgents, bundledParts } from '../../main.ts'
import { note, ok, problem, type Finding } from './finding.ts'

/** The agents with their agent.json files, and the mistakes in these files. */
export async function loadAgents(
  config: Config,
): Promise<{ readonly modules: readonly ConfiguredModule[]; readonly findings: readonly Finding[] }> {
  const mistakes: string[] = []
  const engines = [...coreEngines, ...bundledParts.engines].map(({ name }) => name)
  const database = openDatabase(':memory:')
  // Created on first use: mistakes in models.yaml belong to the check of the models.
  const models: Models = { choose: (wish) => configuredModels(config).choose(wish) }
  const services = createAgentServices(config, {
    database,
    model: (id) => createToolModel(() => models.choose(modelSettings(findAgent(modules, id).model))),
    report: () => undefined,
    warn: () => undefined,
    readThreadContext: async () => ({}),
    updateThreadContext: async () => undefined,
    searchMessages: async () => [],
    exportThreads: async () => [],
    deleteThreads: async () => 0,
    delegate: async () => '',
    delegates: () => [],
  })
  const modules: readonly ConfiguredModule[] = applyAgentFiles(
    await checkModules(await createModules(bundledAgents, services, config), { engines }),
    { ...config, engines, warn: (mistake) => mistakes.push(mistake) },
  )
  await database.destroy()
  return { modules, findings: mistakes.map((mistake) => problem(`Agents: ${mistake}`)) }
}

const findingOf = { ok, note, problem }

/** The agents' own findings, such as the sandbox of commands. */
export async function checkAgents(modules: readonly ConfiguredModule[]): Promise<Finding[]> {
  const findings = await Promise.all(modules.map(async ({ doctor }) => (await doctor?.()) ?? []))
  return findings.flat().map(({ level, text }) => findingOf[level](text))
}
