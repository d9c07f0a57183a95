import { ServiceError } from '../errors.ts'
import { readSavedKeys, writeSavedKeys } from '../home-files/index.ts'
import {
  listLocalModels,
  providerVariables,
  type ProviderVariables,
  type ReconfigurableModels,
} from '../models/index.ts'
import type { ProviderKeys } from './surfaces/index.ts'

type Options = {
  readonly home: string
  /** The environment of the process, which takes precedence over what is saved. */
  readonly env: Readonly<Record<string, string | undefined>>
  readonly models: ReconfigurableModels
}

/** Keys that a page saves in the home, in effect from then on. */
export function createProviderKeys({ home, env, models }: Options): ProviderKeys {
  const { read, change } = savedVariables(home, models)
  return {
    async list() {
      const reasons = models.providerReasons()
      const saved = readSavedKeys(home)
      return Promise.all(
        providerVariables.map(async (provider) => {
          const { name, key, model, local } = provider
          const { isReachable = false, reason = '' } = reasons.get(name) ?? {}
          const found = local && (await listLocalModels(env[local.variable] ?? local.address))
          return {
            name,
            ready: isReachable,
            reason,
            saved: variablesOf(provider).some((variable) => variable in saved),
            model: env[model] ?? saved[model] ?? null,
            needsKey: local === undefined,
            fromEnvironment: env[key] !== undefined,
            ...(found && { models: found }),
          }
        }),
      )
    },
    save(name, { apiKey, model }) {
      const provider = findProvider(name)
      const { key, model: modelVariable, local } = provider
      if (env[key] !== undefined)
        throw new ServiceError('invalid-request', `${key} is set in the server's environment, which decides.`)
      const before = read()
      const saved = apiKey ?? before[key]
      const savedModel = model ?? before[modelVariable]
      if (saved === undefined && !local) throw new ServiceError('invalid-request', 'apiKey is required')
      if (local && savedModel === undefined) throw new ServiceError('invalid-request', 'model is required')
      change(variablesOf(provider), {
        ...(saved !== undefined && { [key]: saved }),
        ...(savedModel !== undefined && { [modelVariable]: savedModel }),
        ...(local && { [local.variable]: env[local.variable] ?? local.address }),
      })
    },
    remove: (name) => change(variablesOf(findProvider(name)), {}),
  }
}

/** The variables of a home, which configure the models together with the environment. */
function savedVariables(home: string, models: ReconfigurableModels) {
  /** A file that cannot be read is replaced by the next change. */
  const read = (): Readonly<Record<string, string>> => {
    try {
      return readSavedKeys(home)
    } catch {
      return {}
    }
  }
  /** @throws ServiceError `invalid-request` if the models cannot be configured so; nothing is changed then */
  const change = (variables: readonly string[], values: Readonly<Record<string, string>>): void => {
    const before = read()
    const others = Object.entries(before).filter(([name]) => !variables.includes(name))
    writeSavedKeys(home, { ...Object.fromEntries(others), ...values })
    try {
      models.reconfigure()
    } catch (error) {
      writeSavedKeys(home, before)
      throw error
    }
  }
  return { read, change }
}

function findProvider(name: string): ProviderVariables {
  const provider = providerVariables.find((each) => each.name === name)
  if (provider) return provider
  const names = providerVariables.map((each) => each.name).join(', ')
  throw new ServiceError('not-found', `There is no provider of that name: use one of ${names}.`)
}

function variablesOf({ key, model, local }: ProviderVariables): readonly string[] {
  return [key, model, ...(local ? [local.variable] : [])]
}
