import type { LanguageModel } from './adapt-language-model.ts'
import type { ResponseLimits } from './limit-responses.ts'
import { DEFAULT_IDLE_TIMEOUT_SECONDS } from './built-in-providers.ts'
import {
  createCandidate,
  createObjectCandidate,
  createClosedCandidate,
  createDemoCandidate,
  type Candidate,
} from './model-choice.ts'
import type { DemoScript } from './demo/index.ts'
import type { ModelFilter } from './model-filter.ts'
import type { ModelsFile } from './models-file.ts'
import { isFullName, type NameResolution } from './model-names.ts'
import { resolveServerModel } from './resolve-server-model.ts'
import { isInstalled } from './provider-packages.ts'
import type { Provider } from './provider.ts'

/**
 * The preferred model of an agent: a name, or a model object. Without either, any configured provider answers.
 *
 * @example
 * const preference: ModelPreference = { primary: 'anthropic/claude-sonnet-5-5', fallback: 'openai' }
 */
export type ModelPreference = {
  readonly primary?: string | LanguageModel
  readonly fallback?: string | LanguageModel
  /** `primary` is the model that a caller names. It counts whatever models.yaml says. */
  readonly isRequested?: boolean
  /** The entry of `defaults:` in models.yaml that follows these two; `chat` by default. */
  readonly task?: string
  /** These take precedence over models.yaml. */
  readonly retries?: number
  readonly retryDelayMs?: number
  /** The only models that may answer. */
  readonly filter?: ModelFilter
  /** The agent's script for the demo model. */
  readonly demo?: DemoScript
}

type FinderOptions = {
  readonly providers: readonly Provider[]
  readonly resolveName: (name: string) => NameResolution
  readonly file: ModelsFile
  readonly limits: ResponseLimits
  readonly warn: (problem: string) => void
  readonly override?: string | undefined
  readonly offlinePace: number
  readonly closed?: string | undefined
}

/**
 * Finds the models for a preference: the first choice, and its fallbacks.
 * @throws ServiceError `invalid-request` for an override that cannot be used; `forbidden` if the preference allows no
 * model that can answer
 */
export function createCandidateFinder(
  options: FinderOptions,
): (preference: ModelPreference) => [Candidate, ...Candidate[]] {
  const { providers, resolveName, file, override = '', offlinePace } = options
  const offline = (why: string): Candidate => createDemoCandidate(offlinePace, why)
  const findByName = createLookup(options, offline)
  const last = file.global_fallback.flatMap((name) => findByName(name, 'a global_fallback of models.yaml'))
  const overrideCandidate = override.trim()
    ? resolveServerModel(resolveName(override.trim()), providers, offline)
    : undefined
  const findCandidates = ({
    primary,
    fallback,
    task = 'chat',
    isRequested = false,
  }: ModelPreference): [Candidate, ...Candidate[]] => {
    if (overrideCandidate) return [overrideCandidate, ...last]
    const counts = (own: string | LanguageModel | undefined): boolean =>
      typeof own !== 'string' || countsAsPreference(own, file)
    const taskDefaults = Object.hasOwn(file.defaults, task) ? file.defaults[task] : undefined
    const candidates = [
      ...(isRequested || counts(primary) ? findByName(primary, "the agent's first choice") : []),
      ...(counts(fallback) ? findByName(fallback, "the agent's second choice") : []),
      ...(taskDefaults ? [taskDefaults.primary, ...taskDefaults.fallback] : []).flatMap((name) =>
        findByName(name, `a choice of defaults.${task} in models.yaml`),
      ),
      ...last,
    ]
    const names = [primary, fallback].filter((name) => typeof name === 'string')
    const [first = offline(NO_PROVIDER.en), ...others] =
      candidates.length > 0 ? candidates : anyProvider(providers, names)
    return [first, ...others]
  }
  return (preference) => {
    const withScript = (each: Candidate): Candidate =>
      each.name === 'offline' ? createDemoCandidate(offlinePace, each.why, preference.demo) : each
    const found = applyFilter(findCandidates(preference), preference.filter, findByName)
    const [first, ...others] =
      options.closed === undefined || isDemoChosen(preference, options)
        ? found
        : withoutDemo(found, options.closed)
    return [withScript(first), ...others.map(withScript)]
  }
}

/** Whether the demo model is what the server, the agent or models.yaml wants first. */
function isDemoChosen(
  { primary, task = 'chat' }: ModelPreference,
  { resolveName, file, override = '' }: FinderOptions,
): boolean {
  const taskDefault = Object.hasOwn(file.defaults, task) ? file.defaults[task]?.primary : undefined
  const choice = override.trim() || (primary ?? taskDefault)
  return typeof choice === 'string' && resolveName(choice) === 'offline'
}

/** An answer of the demo model would hide that keys are saved which cannot be opened. */
function withoutDemo(found: readonly Candidate[], closed: string): [Candidate, ...Candidate[]] {
  const [first = createClosedCandidate(closed), ...others] = found.filter(({ name }) => name !== 'offline')
  return [first, ...others]
}

/** Whether an agent's own model counts: where models.yaml names models, only those that it names. */
function countsAsPreference(name: string, { providers, models, defaults }: ModelsFile): boolean {
  const decides = Object.keys(models).length > 0 || Object.keys(defaults).length > 0
  return (
    !decides ||
    name === 'offline' ||
    Object.hasOwn(models, name) ||
    Object.keys(providers).some((provider) => isFullName(name, provider))
  )
}

/**
 * Leaves out what may not answer. If nothing is left, the models that may answer stand in, in their order.
 * @throws ServiceError `forbidden`
 */
function applyFilter(
  candidates: [Candidate, ...Candidate[]],
  filter: ModelFilter | undefined,
  findByName: ReturnType<typeof createLookup>,
): [Candidate, ...Candidate[]] {
  if (!filter) return candidates
  const chosen = candidates.filter(({ name }) => filter.allows(name))
  const named = (): Candidate[] =>
    filter.names.flatMap((name) => findByName(name, 'a model that its user may run'))
  const [first, ...others] = chosen.length > 0 ? chosen : named()
  if (first) return [first, ...others]
  throw filter.refusal(candidates[0].name)
}

/** Why the demo model answers if no provider is configured. */
export const NO_PROVIDER = {
  en:
    'No model provider is configured, so the demo model answers. Set ANTHROPIC_API_KEY, ' +
    'OPENAI_API_KEY or GOOGLE_API_KEY, or a base URL, and restart.',
  zh: '没有配置模型：目前由演示模型回答。请设置 ANTHROPIC_API_KEY、OPENAI_API_KEY 或 GOOGLE_API_KEY（或模型服务的地址），然后重启。',
} as const

function createLookup(
  { resolveName, file, limits, warn }: FinderOptions,
  offline: (why: string) => Candidate,
) {
  const { timeout } = file.fallback_triggers
  const silenceMs = 1000 * (typeof timeout === 'number' ? timeout : DEFAULT_IDLE_TIMEOUT_SECONDS)
  return (preference: string | LanguageModel | undefined, role: string): readonly Candidate[] => {
    if (preference === undefined) return []
    if (typeof preference === 'object') {
      const why = `It is ${role}, a model object in its code.`
      return [
        createObjectCandidate(preference, why, {
          idleTimeoutMs: silenceMs,
          callsPerStep: limits.callsPerStep,
          warn,
        }),
      ]
    }
    const resolution = resolveName(preference)
    if (resolution === 'offline') return [offline(`It is ${role}.`)]
    if (!resolution?.provider.reachable || resolution.modelId === undefined) return []
    const { provider, modelId } = resolution
    return [
      createCandidate(provider, modelId, `It is ${role} (${preference}), and ${provider.reason}.`) ?? [],
    ].flat()
  }
}

/** A provider whose package is installed comes first. */
function anyProvider(providers: readonly Provider[], names: readonly string[]): readonly Candidate[] {
  const configured = providers.filter(({ isUsableByDefault }) => isUsableByDefault)
  const provider = configured.find((each) => isInstalled(each.package)) ?? configured[0]
  if (provider?.defaultModel === undefined) return []
  const reason =
    names.length > 0
      ? `The agent's own models (${names.join(', ')}) cannot be reached`
      : 'The agent names no model'
  return [createCandidate(provider, provider.defaultModel, `${reason}; ${provider.reason}.`) ?? []].flat()
}
