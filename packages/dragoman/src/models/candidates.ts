import type { LanguageModel } from './adapt-language-model.ts'
import type { AnswerLimits } from './bounded.ts'
import { SILENCE_SECONDS } from './built-in.ts'
import { candidateOf, objectCandidate, offlineCandidate, type Candidate } from './choice.ts'
import type { DemoScript } from './demo/index.ts'
import type { ModelsFile } from './models-file.ts'
import type { Meaning } from './names.ts'
import { overriding } from './override.ts'
import { isInstalled } from './packages.ts'
import type { Provider } from './provider.ts'

/**
 * The model that somebody wants: a name, or a model object. Without either, any configured provider answers.
 *
 * @example
 * const wanted: WantedModel = { primary: 'anthropic/claude-sonnet-5-5', fallback: 'openai' }
 */
export type WantedModel = {
  readonly primary?: string | LanguageModel
  readonly fallback?: string | LanguageModel
  /** The entry of `defaults:` in models.yaml that comes after these two: `chat` where it is not given. */
  readonly task?: string
  /** Where they are given, they count more than what models.yaml says. */
  readonly retries?: number
  readonly retryDelayMs?: number
  /** The agent's script for the demo model. */
  readonly demo?: DemoScript
}

type Known = {
  readonly providers: readonly Provider[]
  readonly meaning: (name: string) => Meaning
  readonly file: ModelsFile
  readonly limits: AnswerLimits
  readonly override?: string | undefined
  readonly offlinePace: number
}

/**
 * Finds the models that answer who wants one: the first choice, and those that stand in for it. @throws ServiceError `invalid-request`
 * for an override that cannot be followed
 */
export function candidateFinder(known: Known): (wanted: WantedModel) => [Candidate, ...Candidate[]] {
  const { providers, meaning, file, override = '', offlinePace } = known
  const offline = (why: string): Candidate => offlineCandidate(offlinePace, why)
  const reach = reaching(known, offline)
  const last = file.global_fallback.flatMap((name) => reach(name, 'a global_fallback of models.yaml'))
  const everybodys = override.trim() ? overriding(meaning(override.trim()), providers, offline) : undefined
  const found = ({ primary, fallback, task = 'chat' }: WantedModel): [Candidate, ...Candidate[]] => {
    if (everybodys) return [everybodys, ...last]
    const usual = Object.hasOwn(file.defaults, task) ? file.defaults[task] : undefined
    const reached = [
      ...reach(primary, "the agent's first choice"),
      ...reach(fallback, "the agent's second choice"),
      ...(usual ? [usual.primary, ...usual.fallback] : []).flatMap((name) =>
        reach(name, `a choice of defaults.${task} in models.yaml`),
      ),
      ...last,
    ]
    const named = [primary, fallback].filter((name) => typeof name === 'string')
    const [first = offline(NO_PROVIDER.en), ...others] =
      reached.length > 0 ? reached : anyProvider(providers, named)
    return [first, ...others]
  }
  return (wanted) => {
    const withScript = (each: Candidate): Candidate =>
      each.name === 'offline' ? offlineCandidate(offlinePace, each.why, wanted.demo) : each
    const [first, ...others] = found(wanted)
    return [withScript(first), ...others.map(withScript)]
  }
}

/** Why the demo model answers if no provider is configured. */
export const NO_PROVIDER = {
  en: 'No model provider is configured: set ANTHROPIC_API_KEY, OPENAI_API_KEY or GOOGLE_API_KEY, or a base URL.',
  zh: '没有配置模型：目前由演示模型回答。请设置 ANTHROPIC_API_KEY、OPENAI_API_KEY 或 GOOGLE_API_KEY（或模型服务的地址），然后重启。',
} as const

function reaching({ meaning, file, limits }: Known, offline: (why: string) => Candidate) {
  const { timeout } = file.fallback_triggers
  const silenceMs = 1000 * (typeof timeout === 'number' ? timeout : SILENCE_SECONDS)
  return (wanted: string | LanguageModel | undefined, role: string): readonly Candidate[] => {
    if (wanted === undefined) return []
    if (typeof wanted === 'object') {
      const why = `It is ${role}, a model object in its code.`
      return [objectCandidate(wanted, why, { silenceMs, callsPerStep: limits.callsPerStep })]
    }
    const meant = meaning(wanted)
    if (meant === 'offline') return [offline(`It is ${role}.`)]
    if (!meant?.provider.reachable || meant.modelId === undefined) return []
    const { provider, modelId } = meant
    return [
      candidateOf(provider, modelId, `It is ${role} (${wanted}), and ${provider.because}.`) ?? [],
    ].flat()
  }
}

/** One whose package is installed comes before others. */
function anyProvider(providers: readonly Provider[], named: readonly string[]): readonly Candidate[] {
  const configured = providers.filter(({ mayStandIn }) => mayStandIn)
  const provider = configured.find((each) => isInstalled(each.package)) ?? configured[0]
  if (provider?.defaultModel === undefined) return []
  const own =
    named.length > 0
      ? `The agent's own models (${named.join(', ')}) cannot be reached`
      : 'The agent names no model'
  return [candidateOf(provider, provider.defaultModel, `${own}; ${provider.because}.`) ?? []].flat()
}
