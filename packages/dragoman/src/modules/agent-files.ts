import { readdirSync } from 'node:fs'
import { join } from 'node:path'

import { isServiceError } from '../errors.ts'
import { readHomeFile } from '../home-files/index.ts'
import { agentFile, applyAgentFile, unusedFields, type ConfiguredModule } from './agent-file.ts'
import type { AgentModule } from './agent-module.ts'

export type AgentFilesOptions = {
  readonly home: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** The words that `engine` may be. */
  readonly engines: readonly string[]
  /** Told each problem, and each folder of `agents/` that is called as no agent is. */
  readonly warn: (problem: string) => void
}

/** Puts `agents/<id>/agent.json` of the home over each capability's own agent. A file with a mistake changes nothing. */
export function withAgentFiles(
  capabilities: readonly AgentModule[],
  options: AgentFilesOptions,
): readonly ConfiguredModule[] {
  const all = capabilities.map((capability) => configured(capability, options))
  const ids = capabilities.map(({ agent }) => agent.id)
  const strangers = foldersIn(join(options.home, 'agents'))
    .filter((name) => !ids.includes(name))
    .map((name) => `agents/${name} is not used: there is no agent ${name}, but ${ids.join(', ')}.`)
  for (const problem of [...all.flatMap(({ problems }) => problems), ...strangers]) options.warn(problem)
  return all
}

function configured(capability: AgentModule, { home, env, engines }: AgentFilesOptions): ConfiguredModule {
  const { id } = capability.agent
  const asOurs = (...problems: string[]): ConfiguredModule => ({ ...capability, notUsed: [], problems })
  try {
    const file = readHomeFile(join(home, 'agents', id, 'agent.json'), agentFile(engines), env)
    if (!file) return asOurs()
    if (file.id !== undefined && file.id !== id) {
      return asOurs(`agents/${id}/agent.json: id must be ${id}, as its folder is called.`)
    }
    return {
      ...applyAgentFile(capability, file),
      notUsed: unusedFields(file, capability.agent),
      problems: [],
    }
  } catch (error) {
    if (!isServiceError(error, 'invalid-request')) throw error
    // Whoever asks for the status need not know where the home is.
    return asOurs(error.message.replace(join(home, '/'), ''))
  }
}

function foldersIn(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true })
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
  } catch (error) {
    // One that may not be read is told of where its files are.
    if (error instanceof Error && 'code' in error) return []
    throw error
  }
}
