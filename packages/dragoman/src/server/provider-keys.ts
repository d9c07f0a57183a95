import { waitAtMost } from '../async/index.ts'
import { environmentSecrets } from '../config/secrets.ts'
import {
  builtInVariables,
  customVariablesIn,
  type ConfiguredModels,
  type ProviderVariables,
  type ReconfigurableModels,
} from '../models/index.ts'
import { ServiceError } from '../errors.ts'
import { findProvider, offerOf, tryOut, valuesOf, variablesOf } from './provider-settings.ts'
import { unopenedSentence, usableOf } from './open-saved-variables.ts'
import type { SavedVariables, Variables } from './saved-variables.ts'
import type { ProviderKeys } from './surfaces/index.ts'

/** A database that is away for longer delays nothing more: the server goes on with what it has read. */
const MAX_REFRESH_MS = 2000

type Options = {
  /** The environment of the process, which takes precedence over what is saved. */
  readonly env: Readonly<Record<string, string | undefined>>
  readonly models: ReconfigurableModels
  readonly saved: SavedVariables
  readonly warn: (problem: string) => void
  /** Values that the log of the process must not show. */
  readonly hide: (secrets: readonly string[]) => void
}

/** Keys that a page saves, in effect on all nodes from then on. */
export function createProviderKeys({ env, models, saved, warn, hide }: Options): ProviderKeys {
  hide(environmentSecrets(saved.values()))
  const refresh = createRefresh({ env, models, saved, warn, hide })
  const change = createChange({ env, models, saved, refresh })
  return {
    async list() {
      await refresh()
      const custom = customVariablesIn({ ...namesOf(saved), ...env })
      return Promise.all(
        [...builtInVariables, ...custom].map((each) => describe(each, { env, models, saved })),
      )
    },
    async save(name, changes) {
      await saved.read()
      const provider = findProvider(name, { ...namesOf(saved), ...env }, changes.baseUrl)
      const values = valuesOf(provider, changes, { env, before: saved.values() })
      await change(variablesOf(provider), values, (tried) => tryOut(provider, tried, changes))
    },
    async remove(name) {
      await saved.read()
      await change(variablesOf(findProvider(name, namesOf(saved))), {})
    },
    refresh,
    requireOpened() {
      const { closed } = usableOf(saved.values(), saved.unopened(), env)
      if (closed !== undefined) throw new ServiceError('unavailable', closed)
    },
  }
}

/** What is saved, by name, also what cannot be opened. */
function namesOf(saved: SavedVariables): Variables {
  return { ...Object.fromEntries(saved.unopened().map((name) => [name, 'sealed'])), ...saved.values() }
}

async function describe(
  provider: ProviderVariables,
  { env, models, saved }: Pick<Options, 'env' | 'models' | 'saved'>,
) {
  const { name, key, model, url, local, isCustom = false } = provider
  const own = variablesOf(provider)
  const values = saved.values()
  const { isReachable = false, reason = '' } = models.providerReasons().get(name) ?? {}
  const closed = own.filter((variable) => saved.unopened().includes(variable))
  return {
    name,
    reason: (isReachable ? undefined : unopenedSentence(closed)) ?? reason,
    saved: closed.length > 0 || own.some((variable) => variable in values),
    model: env[model] ?? values[model] ?? null,
    baseUrl: env[url] ?? values[url] ?? null,
    needsKey: local === undefined,
    custom: isCustom,
    fromEnvironment: env[key] !== undefined || (isCustom && env[url] !== undefined),
    ...offerOf(await models.catalogue.listOf(name), isReachable),
  }
}

/** Uses what another node has saved or removed meanwhile. Never rejects. */
function createRefresh({ env, models, saved, warn, hide }: Options): () => Promise<void> {
  const apply = async (): Promise<void> => {
    if (!(await saved.read())) return
    hide(environmentSecrets(saved.values()))
    const usable = usableOf(saved.values(), saved.unopened(), env)
    if (usable.closed !== undefined) warn(usable.closed)
    try {
      models.reconfigure(usable)
    } catch (error) {
      // Another node has accepted them: its models.yaml is not this one's.
      warn(`Saved keys are not used: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  // What is wrong with a database that does not answer is reported by those who need it.
  return () =>
    waitAtMost(
      MAX_REFRESH_MS,
      apply().catch(() => undefined),
    )
}

/**
 * Replaces what is saved under the names of some variables. `complete` may add variables, once the models have been
 * configured so.
 * @throws ServiceError `invalid-request` if the models cannot be configured so, `conflict` without a secret; nothing is
 * changed then
 */
function createChange({
  env,
  models,
  saved,
  refresh,
}: Pick<Options, 'env' | 'models' | 'saved'> & { readonly refresh: () => Promise<void> }) {
  return async (
    variables: readonly string[],
    values: Variables,
    complete: (tried: ConfiguredModels) => Promise<Variables> = async () => ({}),
  ): Promise<void> => {
    const others = Object.entries(saved.values()).filter(([name]) => !variables.includes(name))
    const unopened = saved.unopened().filter((name) => !variables.includes(name))
    const tried = models.check(usableOf({ ...Object.fromEntries(others), ...values }, unopened, env))
    await saved.write(variables, { ...values, ...(await complete(tried)) })
    await refresh()
  }
}
