import { z } from 'zod'

import { findMisspelled } from '../home-files/index.ts'
import { modelSettings, type Agent, type AgentTranslations, type Tool } from '../agents/index.ts'
import type { AgentModule } from './agent-module.ts'

/** The schema of `agent.json`. An unknown field is refused: it may be a restriction that is misspelled or misplaced. */
export function agentFileSchema(engines: readonly string[]) {
  const text = z.string().trim().min(1)
  const globs = z.array(text)
  return part({
    id: text,
    name: text,
    version: text,
    role: part({ description: text, system_prompt: text, personality: text }),
    engine: z.enum(engines),
    model: part({
      primary: text,
      fallback: text,
      temperature: z.number().min(0).max(2),
      thinking: z.enum(['none', 'low', 'medium', 'high']),
    }),
    models: part({ allowed: globs.min(1) }),
    maxSteps: z.int().min(1).max(1000),
    mcp: z.record(z.string(), z.json()),
    responsibilities: globs,
    permissions: part({
      tools: part({ allow: globs, deny: globs, ask: globs }),
      max_tokens_per_call: z.int().min(1),
      capabilities: globs,
      can_delegate: z.boolean(),
      can_access_context: z.boolean(),
    }),
    memory: part({
      long_term: part({ enabled: z.boolean(), max_size_kb: z.number().min(0), auto_summarize: z.boolean() }),
      short_term: part({ retention_days: z.number().min(0), auto_cleanup: z.boolean() }),
    }),
    error_handling: part({
      max_retries: z.int().min(0).max(10),
      retry_delay_ms: z.number().min(0),
      fallback_strategy: z.enum(['use_fallback_model', 'delegate_to_eve', 'fail']),
      on_timeout: text,
    }),
  })
}

export type AgentFile = z.infer<ReturnType<typeof agentFileSchema>>

function part<S extends z.core.$ZodLooseShape>(fields: S) {
  return z.strictObject(fields).partial()
}

/** A module with the settings of its agent's file. */
export type ConfiguredModule = AgentModule & {
  /** Fields of the file without effect. */
  readonly notUsed: readonly string[]
  /** What may be a mistake in the file, although all of it counts. */
  readonly problems: readonly string[]
}

/** Applies an agent's file to its module, without its servers: each field of the file replaces the module's own. */
export function applyAgentFile(module: AgentModule, file: AgentFile): AgentModule {
  const { agent, toolsFor, context } = module
  const globs = file.permissions?.tools ?? {}
  const { role, model, permissions, error_handling: errorHandling } = file
  return {
    ...module,
    agent: {
      ...agent,
      tools: filterTools(agent.tools, globs),
      ...definedFields({
        name: file.name,
        description: role?.description,
        ...(typeof agent.engine === 'string' && { engine: file.engine }),
        maxSteps: file.maxSteps,
        models: file.models?.allowed && { allowed: file.models.allowed },
      }),
      ...(agent.translations && { translations: keepTranslations(agent.translations, file) }),
      instructions: [role?.system_prompt ?? agent.instructions, role?.personality ?? []].flat().join('\n\n'),
      model: {
        ...modelSettings(agent.model),
        ...definedFields({
          primary: model?.primary,
          fallback: model?.fallback,
          temperature: model?.temperature,
          thinking: model?.thinking,
          maxOutputTokens: permissions?.max_tokens_per_call,
          retries: errorHandling?.max_retries,
          retryDelayMs: errorHandling?.retry_delay_ms,
        }),
      },
    },
    ...(permissions?.can_access_context === false && { context: { ...context, format: () => [] } }),
    ...(toolsFor && {
      toolsFor: async (scope) => {
        const resolved = await toolsFor(scope)
        const names = [...agent.tools, ...resolved.tools].map(({ name }) => name)
        return { ...resolved, tools: filterTools(resolved.tools, withMisspelled(globs, names)) }
      },
    }),
  }
}

/** What the file says counts in every language. */
function keepTranslations(translations: AgentTranslations, { name, role }: AgentFile): AgentTranslations {
  const texts = Object.entries(translations).map(([language, own]) => [
    language,
    {
      ...(name === undefined && own.name !== undefined && { name: own.name }),
      ...(role?.description === undefined &&
        own.description !== undefined && { description: own.description }),
    },
  ])
  return Object.fromEntries(texts) as AgentTranslations
}

type ToolGlobs = Partial<Record<'allow' | 'deny' | 'ask', string[] | undefined>>

/** A pattern in `deny` or `ask` that matches none of an agent's tools, and the name that it may be meant to match. */
export type UnmatchedPattern = {
  readonly field: string
  readonly pattern: string
  readonly meant: string | undefined
}

/** The patterns of a file that restrict nothing. */
export function unmatchedPatterns(
  file: AgentFile,
  toolNames: readonly string[],
): readonly UnmatchedPattern[] {
  const { deny = [], ask = [] } = file.permissions?.tools ?? {}
  return Object.entries({ deny, ask }).flatMap(([field, patterns]) =>
    patterns
      .filter((pattern) => !toolNames.some((name) => toPattern(pattern).test(name)))
      .map((pattern) => ({ field, pattern, meant: findMisspelled(pattern, toolNames) })),
  )
}

/**
 * Adds to `deny` and `ask` the names that they seem to misspell. The tools of a single run, as those of MCP servers,
 * are not known when the server starts and could refuse the file.
 */
function withMisspelled({ deny = [], ask = [], ...others }: ToolGlobs, names: readonly string[]): ToolGlobs {
  const add = (globs: string[]): string[] => {
    const unmatched = globs.filter((glob) => !names.some((name) => toPattern(glob).test(name)))
    return [...globs, ...names.filter((name) => unmatched.some((glob) => findMisspelled(glob, [name])))]
  }
  return { ...others, deny: add(deny), ask: add(ask) }
}

/**
 * `deny` takes precedence. Without `allow`, all tools are allowed. Tools in `ask` need an approval for each
 * call, and those that a provider runs are left out.
 */
function filterTools(tools: readonly Tool[], { allow = ['*'], deny = [], ask = [] }: ToolGlobs): Tool[] {
  const matchesAny = (globs: readonly string[], name: string): boolean =>
    globs.some((glob) => toPattern(glob).test(name))
  return tools
    .filter(({ name }) => matchesAny(allow, name) && !matchesAny(deny, name))
    .flatMap((tool) => (matchesAny(ask, tool.name) ? withApproval(tool) : tool))
}

/** No user is asked before a provider runs its own tool, so the model does not get it. */
function withApproval(tool: Tool): readonly Tool[] {
  if (tool.client) return [{ ...tool, client: { confirm: true } }]
  return tool.provider?.runsThere ? [] : [{ ...tool, needsApproval: () => true }]
}

/** `*` is any number of characters, `?` is one. */
function toPattern(glob: string): RegExp {
  const source = glob
    .replace(/[^\w*?]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.')
  return new RegExp(`^${source}$`, 's')
}

type DefinedFields<T> = { [K in keyof T]?: Exclude<T[K], undefined> }

function definedFields<T extends object>(fields: T): DefinedFields<T> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as DefinedFields<T>
}

const USED_FIELDS: ReadonlySet<string> = new Set([
  'id',
  'name',
  'role.description',
  'role.system_prompt',
  'role.personality',
  'engine',
  'model.primary',
  'model.fallback',
  'model.temperature',
  'model.thinking',
  'models.allowed',
  'maxSteps',
  'permissions.tools.allow',
  'permissions.tools.deny',
  'permissions.tools.ask',
  'permissions.max_tokens_per_call',
  'permissions.can_access_context',
  'error_handling.max_retries',
  'error_handling.retry_delay_ms',
])

/** The fields of a file that have no effect on an agent. The status reports them. */
export function unusedAgentFields(file: AgentFile, { engine }: Pick<Agent, 'engine'>): string[] {
  const isUsed = (field: string) =>
    field.startsWith('mcp.') || (USED_FIELDS.has(field) && (field !== 'engine' || typeof engine === 'string'))
  return leafPaths(file, '').filter((field) => !isUsed(field))
}

function leafPaths(value: object, before: string): string[] {
  return Object.entries(value).flatMap(([key, field]: [string, unknown]) =>
    typeof field === 'object' && field !== null && !Array.isArray(field)
      ? leafPaths(field, `${before}${key}.`)
      : [`${before}${key}`],
  )
}
