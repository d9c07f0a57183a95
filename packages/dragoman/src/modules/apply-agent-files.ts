import { readdirSync } from 'node:fs'
import { join } from 'node:path'

import { isServiceError } from '../errors.ts'
import { readHomeFile } from '../home-files/index.ts'
import { agentFileSchema, applyAgentFile, unusedAgentFields, type ConfiguredModule } from './agent-file.ts'
import type { AgentModule } from './agent-module.ts'

export type AgentFilesOptions = {
  readonly home: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** The allowed values of `engine`. */
  readonly engines: readonly string[]
  /** Gets each problem, and each folder of `agents/` without an agent. */
  readonly warn: (problem: string) => void
}

/** Applies `agents/<id>/agent.json` of the home to each module. A file with a mistake changes nothing. */
export function applyAgentFiles(
  modules: readonly AgentModule[],
  options: AgentFilesOptions,
): readonly ConfiguredModule[] {
  const all = modules.map((module) => configureModule(module, options))
  const ids = modules.map(({ agent }) => agent.id)
  const unknownFolders = foldersIn(join(options.home, 'agents'))
    .filter((name) => !ids.includes(name))
    .map((name) => `agents/${name} is not used: there is no agent ${name}, but ${ids.join(', ')}.`)
  for (const problem of [...all.flatMap(({ problems }) => problems), ...unknownFolders]) options.warn(problem)
  return all
}

function configureModule(module: AgentModule, { home, env, engines }: AgentFilesOptions): ConfiguredModule {
  const { id } = module.agent
  const unchanged = (...problems: string[]): ConfiguredModule => ({ ...module, notUsed: [], problems })
  try {
    const file = readHomeFile(join(home, 'agents', id, 'agent.json'), agentFileSchema(engines), env)
    if (!file) return unchanged()
    if (file.id !== undefined && file.id !== id) {
      return unchanged(`agents/${id}/agent.json: id must be ${id}, as its folder is called.`)
    }
    return {
      ...applyAgentFile(module, file),
      notUsed: unusedAgentFields(file, module.agent),
      problems: [],
    }
  } catch (error) {
    if (!isServiceError(error, 'invalid-request')) throw error
    // Readers of the status need not know the path of the home.
    return unchanged(error.message.replace(join(home, '/'), ''))
  }
}

function foldersIn(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true })
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
  } catch (error) {
    // An unreadable folder is reported when its files are read.
    if (error instanceof Error && 'code' in error) return []
    throw error
  }
}
