import { modelSettings } from 'dragoman/agents'
import type { Config } from 'dragoman/config'
import { openDatabase } from 'dragoman/database'
import { createCallTally } from 'dragoman/events'
import { createToolModel, type Models } from 'dragoman/models'
import { checkAgents as checkModules, readAgentFiles, type ConfiguredModule } from 'dragoman/modules'
import { findAgent, configuredModels, coreEngines, createAgentServices, createModules } from 'dragoman/server'
import { bundledAgents, bundledParts } from '../../main.ts'
import { note, ok, problem, type Finding } from './finding.ts'

/** The agents with their agent.json files, and the mistakes in these files. */
export async function loadAgents(
  config: Config,
): Promise<{ readonly modules: readonly ConfiguredModule[]; readonly findings: readonly Finding[] }> {
  const engines = [...coreEngines, ...bundledParts.engines].map(({ name }) => name)
  const database = openDatabase(':memory:')
  // Created on first use: mistakes in models.yaml belong to the check of the models.
  const models: Models = { choose: (wish) => configuredModels(config, { values: {} }).choose(wish) }
  const services = createAgentServices(config, {
    database,
    model: (id) =>
      createToolModel(
        () => models.choose(modelSettings(findAgent(modules, id).model)),
        (_promptTokens, ask) => ask(createCallTally()),
      ),
    report: () => undefined,
    warn: () => undefined,
    readThreadContext: async () => ({}),
    updateThreadContext: async () => undefined,
    searchMessages: async () => [],
    async *exportThreads() {},
    deleteThreads: async () => 0,
    delegate: async () => '',
    delegates: () => [],
    storage: {
      mayCreate: async () => undefined,
      grow: (_userId, _bytes, store) => store(),
      changed: () => undefined,
    },
  })
  const created = await checkModules(await createModules(bundledAgents, services, config), { engines })
  const { modules, mistakes, warnings } = readAgentFiles(created, { ...services, engines })
  await database.destroy()
  const findings = [
    ...mistakes.map((mistake) => problem(`Agents: ${mistake}`)),
    ...warnings.map((warning) => note(`Agents: ${warning}`)),
  ]
  return { modules, findings }
}

const findingOf = { ok, note, problem }

/** The agents' own findings, such as the sandbox of commands. */
export async function checkAgents(modules: readonly ConfiguredModule[]): Promise<Finding[]> {
  const findings = await Promise.all(modules.map(async ({ doctor }) => (await doctor?.()) ?? []))
  return findings.flat().map(({ level, text }) => findingOf[level](text))
}
