import { ServiceError } from '../errors.ts'
import { builtInProviders } from './built-in.ts'
import { candidateOf, choiceOf, offlineCandidate, type Candidate, type ModelChoice } from './choice.ts'
import { fileProviders } from './file-providers.ts'
import { modelsFileSchema, unusedFields, type ModelsFile } from './models-file.ts'
import { nameReader, type Meaning } from './names.ts'
import type { Environment, Provider } from './provider.ts'
import type { Patience } from './resilient.ts'

export type ModelsOptions = {
  /** The process environment; it is read nowhere else in this folder. */
  readonly env: Environment
  /** The model that stands in for every agent's own: a short name, `provider:model`, `provider` or `offline`. */
  readonly override?: string | undefined
  /** Tokens a second that the offline model speaks; 0 is as fast as it can. */
  readonly offlinePace: number
  /** What models.yaml says. */
  readonly file?: ModelsFile | undefined
}

/** What an agent wants. `task` names the entry of `defaults:` in models.yaml that comes after its own two; `chat` where it is not given. */
export type AgentModel = {
  readonly primary: string
  readonly fallback: string
  readonly task?: string
  /** Where they are given, they count more than what models.yaml says. */
  readonly retries?: number
  readonly retryDelayMs?: number
}

/** Finds the model for an agent. */
export interface Models {
  choose(agentModel: AgentModel): ModelChoice
  /** Of a name that somebody asks for. Where this is absent any name will do. @throws ServiceError `invalid-request`, with what can be asked for */
  mustReach?(name: string): void
}

/** Models as environment and models.yaml configure them. */
export interface ConfiguredModels extends Models {
  mustReach(name: string): void
  /** What of models.yaml has no effect, a sentence each. */
  readonly warnings: readonly string[]
  /** What a model's name means here. */
  meaning(name: string): Meaning
}

/** Whether they know providers by name: those that stand in for them in somebody's own server may not. */
export function isConfigured(models: Models): models is ConfiguredModels {
  return 'meaning' in models
}

const NONE = modelsFileSchema.parse({})
const RETRIES = 3
const RETRY_DELAY_MS = 1000

/** @throws ServiceError `invalid-request` for an override that cannot be followed, an unreadable address, or a model without provider. */
export function createModels({ env, override, offlinePace, file = NONE }: ModelsOptions): ConfiguredModels {
  const { providers: own, ownerOf } = fileProviders(file, env)
  const builtIn = builtInProviders(env, ownerOf).filter(
    ({ name }) => !own.some((other) => other.name === name),
  )
  const providers = [...own, ...builtIn]
  requireProviders(file, providers)
  const meaning = nameReader(providers, file, env)
  const offline = (why: string): Candidate => offlineCandidate(offlinePace, why)

  function reach(name: string, role: string): Candidate[] {
    const meant = meaning(name)
    if (meant === 'offline') return [offline(`It is ${role}.`)]
    if (!meant?.provider.reachable || meant.modelId === undefined) return []
    const { provider, modelId } = meant
    return [candidateOf(provider, modelId, `It is ${role} (${name}), and ${provider.because}.`) ?? []].flat()
  }

  function anyProvider(named: readonly string[]): Candidate[] {
    const provider = providers.find(({ mayStandIn }) => mayStandIn)
    if (provider?.defaultModel === undefined) return []
    const why = `The agent's own models (${named.join(', ')}) cannot be reached; ${provider.because}.`
    return [candidateOf(provider, provider.defaultModel, why) ?? []].flat()
  }

  const last = file.global_fallback.flatMap((name) => reach(name, 'a global_fallback of models.yaml'))
  const everybodys = override?.trim() ? overriding(meaning(override.trim()), providers, offline) : undefined

  return {
    choose({ primary, fallback, task = 'chat', ...wished }) {
      const patience = patienceOf(file, wished)
      if (everybodys) return choiceOf(everybodys, last, patience)
      const usual = Object.hasOwn(file.defaults, task) ? file.defaults[task] : undefined
      const reached = [
        ...reach(primary, "the agent's first choice"),
        ...reach(fallback, "the agent's second choice"),
        ...(usual ? [usual.primary, ...usual.fallback] : []).flatMap((name) =>
          reach(name, `a choice of defaults.${task} in models.yaml`),
        ),
        ...last,
      ]
      const [first = offline(NOTHING), ...others] =
        reached.length > 0 ? reached : anyProvider([primary, fallback])
      return choiceOf(first, others, patience)
    },
    mustReach(name) {
      const meant = meaning(name)
      if (meant === 'offline' || (meant?.provider.reachable && meant.modelId !== undefined)) return
      throw notReached(meant, knownNames(providers, file, meaning))
    },
    warnings: warningsOf(file, meaning),
    meaning,
  }
}

const NOTHING =
  'No model provider is configured: set ANTHROPIC_API_KEY, OPENAI_API_KEY or GOOGLE_API_KEY, or a base URL.'

function requireProviders(file: ModelsFile, providers: readonly Provider[]): void {
  for (const [id, { provider }] of Object.entries(file.models)) {
    if (providers.some(({ name }) => name === provider)) continue
    const known = providers.map(({ name }) => name).join(', ')
    throw new ServiceError(
      'invalid-request',
      `models.yaml: models.${id}.provider names no known provider: use one of ${known}.`,
    )
  }
}

function warningsOf(file: ModelsFile, meaning: (name: string) => Meaning): string[] {
  const named: [field: string, names: readonly string[]][] = [['global_fallback', file.global_fallback]]
  for (const [task, { primary, fallback }] of Object.entries(file.defaults)) {
    named.push([`defaults.${task}.primary`, [primary]], [`defaults.${task}.fallback`, fallback])
  }
  const unknown = named.flatMap(([field, names]) =>
    names
      .filter((name) => meaning(name) === undefined)
      .map((name) => `models.yaml: ${field} names "${name}", which is no known model.`),
  )
  return [...unusedFields(file).map((field) => `models.yaml: ${field} is not used.`), ...unknown]
}

/** How often a model is asked again, and which failures let the next one of a chain be asked. */
function patienceOf(
  { fallback_triggers: triggers }: ModelsFile,
  { retries, retryDelayMs }: Pick<AgentModel, 'retries' | 'retryDelayMs'>,
): Patience {
  return {
    retries: retries ?? triggers.max_retries ?? RETRIES,
    retryDelayMs: retryDelayMs ?? RETRY_DELAY_MS,
    movesOn({ code }) {
      if (code === 'rate-limited') return triggers.on_quota_exceeded
      return code === 'timed-out' ? triggers.timeout !== false : triggers.on_api_error
    },
  }
}

/** What may be asked for: every name that leads to a model. */
function knownNames(
  providers: readonly Provider[],
  file: ModelsFile,
  meaning: (name: string) => Meaning,
): string[] {
  const short = ['sonnet', 'haiku', ...Object.keys(file.models)].filter((name) => {
    const meant = meaning(name)
    return typeof meant === 'object' && meant.provider.reachable
  })
  const full = providers.filter(({ reachable }) => reachable).map(({ name }) => `${name}:<model>`)
  return ['offline', ...short, ...full]
}

/** Of a model that somebody asks for. As with an override, the name is not quoted back. */
function notReached(meant: Exclude<Meaning, 'offline'>, known: readonly string[]): ServiceError {
  const isUnreachable = meant !== undefined && !meant.provider.reachable
  const why = isUnreachable ? `cannot be reached (${meant.provider.because})` : 'is not known here'
  return new ServiceError('invalid-request', `model: ${why}: use one of ${known.join(', ')}.`)
}

/** The override's words are not quoted back: people paste keys into the wrong place. */
function overriding(
  meant: Meaning,
  providers: readonly Provider[],
  offline: (why: string) => Candidate,
): Candidate {
  const why = 'DRAGOMAN_MODEL (or --model) says so for every agent.'
  if (meant === 'offline') return offline(why)
  if (!meant) {
    const known = providers.map(({ name }) => `${name}:<model>`).join(', ')
    throw wrongOverride(
      `names no known provider: use ${known}, offline, the aliases sonnet and haiku, or a model of models.yaml`,
    )
  }
  const { provider, modelId } = meant
  if (!provider.reachable) {
    throw wrongOverride(`names a model of ${provider.name}, but ${provider.because}`)
  }
  if (modelId === undefined)
    throw wrongOverride(`names ${provider.name} without a model: use ${provider.name}:<model>`)
  return candidateOf(provider, modelId, why) ?? offline(why)
}

function wrongOverride(what: string): ServiceError {
  return new ServiceError('invalid-request', `DRAGOMAN_MODEL (or --model) ${what}.`)
}
