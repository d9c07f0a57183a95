import { readdirSync } from 'node:fs'
import { join } from 'node:path'

import { isServiceError, ServiceError } from '../errors.ts'
import { findMisspelled, readHomeFile } from '../home-files/index.ts'
import {
  agentFileSchema,
  applyAgentFile,
  unmatchedPatterns,
  unusedAgentFields,
  type AgentFile,
  type ConfiguredModule,
} from './agent-file.ts'
import { readMcpServers, type McpServices } from '../mcp/index.ts'
import type { AgentModule } from './agent-module.ts'
import { joinServers, withMcpServers } from './with-mcp-servers.ts'

const FILE = 'agent.json'
const FOLDER = 'agents'

export type AgentFilesOptions = McpServices & {
  readonly home: string
  /** The allowed values of `engine`. */
  readonly engines: readonly string[]
}

export type AgentFilesResult = {
  /** A module whose file has a mistake is without the file's settings: it must not be served. */
  readonly modules: readonly ConfiguredModule[]
  /** One sentence for each mistake by which a restriction could be lost. */
  readonly mistakes: readonly string[]
  readonly warnings: readonly string[]
}

/**
 * Applies `agents/<id>/agent.json` of the home to each module, and adds the tools of its MCP servers.
 * @throws ServiceError `invalid-request` for a mistake in any of them: an agent never runs without its restrictions
 */
export function applyAgentFiles(
  modules: readonly AgentModule[],
  options: AgentFilesOptions,
): readonly ConfiguredModule[] {
  const { modules: configured, mistakes, warnings } = readAgentFiles(modules, options)
  if (mistakes.length > 0)
    throw new ServiceError(
      'invalid-request',
      `${mistakes.join(' ')} The server does not start without the restrictions of such a file.`,
    )
  for (const warning of warnings) options.warn(warning)
  return configured
}

/** Reads the files, and collects their mistakes. */
export function readAgentFiles(
  modules: readonly AgentModule[],
  options: AgentFilesOptions,
): AgentFilesResult {
  const mistakes: string[] = []
  const configured = modules.map((module) => {
    try {
      return configureModule(module, options)
    } catch (error) {
      if (!isServiceError(error, 'invalid-request')) throw error
      // Readers of the log need not know the path of the home.
      mistakes.push(error.message.replace(join(options.home, '/'), ''))
      return { ...module, notUsed: [], problems: [] }
    }
  })
  const folders = unknownFolders(
    options.home,
    modules.map(({ agent }) => agent.id),
  )
  return {
    modules: configured,
    mistakes: [...mistakes, ...folders.mistakes],
    warnings: [...configured.flatMap(({ problems }) => problems), ...folders.warnings],
  }
}

/** @throws ServiceError `invalid-request` */
function configureModule(module: AgentModule, options: AgentFilesOptions): ConfiguredModule {
  const { agent } = module
  const { id } = agent
  const file = readHomeFile(
    join(options.home, FOLDER, id, FILE),
    agentFileSchema(options.engines),
    options.env,
  )
  const agentPlace = `Agent ${JSON.stringify(id)}`
  if (!file) return { ...withMcpServers(module, options, agentPlace), notUsed: [], problems: [] }
  const place = `${FOLDER}/${id}/${FILE}`
  if (file.id !== undefined && file.id !== id)
    throw new ServiceError('invalid-request', `${place}: id must be ${id}, as its folder is called.`)
  const ofFile = file.mcp && readMcpServers(file.mcp, place)
  const withAll = { ...module, agent: { ...agent, ...joinServers(agent.mcp, ofFile) } }
  const connected = withMcpServers(withAll, options, ofFile ? place : agentPlace)
  return {
    ...applyAgentFile(connected, file),
    notUsed: unusedAgentFields(file, agent),
    problems: checkPatterns(file, connected, place),
  }
}

/**
 * Gives a sentence for each pattern with wildcards that restricts nothing: it may be a precaution.
 * @throws ServiceError `invalid-request` for one that seems to misspell a tool, or names one that no run can have
 */
function checkPatterns(file: AgentFile, { agent, toolsFor }: AgentModule, place: string): string[] {
  const unmatched = unmatchedPatterns(
    file,
    agent.tools.map(({ name }) => name),
  )
  return unmatched.map(({ field, pattern, meant }) => {
    const sentence = `${place}: permissions.tools.${field} has ${pattern}, which matches no tool of the agent`
    if (meant !== undefined)
      throw new ServiceError('invalid-request', `${sentence}: is ${meant} meant? Correct it or take it out.`)
    if (toolsFor) return `${sentence} itself. It counts for tools that are added to a run.`
    if (!/[*?]/.test(pattern))
      throw new ServiceError('invalid-request', `${sentence}. Correct it or take it out.`)
    return `${sentence}.`
  })
}

const SETTINGS_ENDING = /\.(?:jsonc?|json5|ya?ml|txt)$/i

/** Folders of agents that are not here. Neither a misspelled one nor a file next to them would restrict anything. */
function unknownFolders(home: string, ids: readonly string[]) {
  const mistakes: string[] = []
  const warnings: string[] = []
  const other = namesIn(home).find((name) => name !== FOLDER && /^agents?$/i.test(name))
  if (other !== undefined && namesIn(join(home, other)).length > 0)
    mistakes.push(`${other} is not read: rename it to ${FOLDER}.`)
  for (const name of namesIn(join(home, FOLDER))) {
    if (ids.includes(name)) continue
    const stem = name.replace(SETTINGS_ENDING, '')
    if (
      stem !== name &&
      (ids.includes(stem) || stem === 'agent' || findMisspelled(stem, ids) !== undefined)
    ) {
      mistakes.push(
        `${FOLDER}/${name} is not read: the file of an agent is ${FOLDER}/ID/${FILE}. Move it there.`,
      )
      continue
    }
    const meant = namesIn(join(home, FOLDER, name)).includes(FILE) ? findMisspelled(name, ids) : undefined
    const sentence = `${FOLDER}/${name} is not used: there is no agent ${name}`
    if (meant === undefined) warnings.push(`${sentence}, but ${ids.join(', ')}.`)
    else mistakes.push(`${sentence}. Is ${meant} meant?`)
  }
  return { mistakes, warnings }
}

/** The names in a folder; none in what is no folder. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    // An unreadable folder is reported when its files are read.
    if (error instanceof Error && 'code' in error) return []
    throw error
  }
}
