import { ServiceError } from '../errors.ts'
import {
  fetchWithoutRedirects,
  OFFICIAL_BASE_URLS,
  openaiApi,
  type ProviderAddress,
  type ProviderApi,
} from './provider-api.ts'
import { readBaseUrl } from './base-url.ts'
import { DEFAULT_IDLE_TIMEOUT_SECONDS, type KeyOwner } from './built-in-providers.ts'
import type { FileProvider, ModelsFile } from './models-file.ts'
import { storeAnswers } from './stateless-responses.ts'
import { mayReceivePrompts, readKey, type ProviderKey } from './provider-key.ts'
import {
  readVariable,
  connectProvider,
  type AnswerOptions,
  type Environment,
  type Provider,
} from './provider.ts'

/** An address of the file, the variable of its key, and the problem with it, if any. */
type FileAddress = ProviderAddress & {
  readonly variable: string | undefined
  readonly problem: string | undefined
}

type Entry = {
  readonly id: string
  readonly entry: FileProvider
  readonly api: ProviderApi
  readonly addresses: readonly FileAddress[]
}

/**
 * The providers of models.yaml, and the owner of each key: a key that the file assigns to an address is used by
 * no other provider.
 * @throws ServiceError `invalid-request` for an unreadable or missing address
 */
export function modelsFileProviders(
  file: ModelsFile,
  env: Environment,
  answers: AnswerOptions,
): { readonly providers: readonly Provider[]; readonly ownerOf: KeyOwner } {
  const entries = Object.entries(file.providers).map(([id, entry]) => readEntry(id, entry, file, env))
  return {
    providers: entries.map((entry) => providerOf(entry, file, answers)),
    ownerOf(variable, baseURL) {
      const owners = entries.filter(({ addresses }) => addresses.some((one) => one.variable === variable))
      return owners.some(({ addresses }) => addresses.some((one) => one.baseURL === baseURL))
        ? undefined
        : owners[0]?.id
    },
  }
}

function readEntry(id: string, entry: FileProvider, file: ModelsFile, env: Environment): Entry {
  const vendor = vendorOf(id, entry)
  const protocol = entry.api ?? entry.api_protocol ?? vendor ?? 'openai'
  const api = protocol === 'openai' ? 'chat' : protocol
  const place = `models.yaml: providers.${id}`
  const read = (text: string, field: string, keyName: string | undefined): FileAddress => {
    const variable = keyName === undefined ? undefined : (file.env_mapping[keyName] ?? keyName)
    if (text === '') {
      const problem = `providers.${id}.base_url of models.yaml is empty`
      return { baseURL: '', key: undefined, variable, problem }
    }
    const baseURL = readBaseUrl(text, `${place}.${field}`, api === 'google' ? 'v1beta' : 'v1')
    const setting = readKey(variable === undefined ? entry.api_key : readVariable(env, variable))
    return { baseURL, key: setting.key, variable, problem: keyProblem(id, variable, { setting, baseURL }) }
  }
  const keyName = entry.api_key_env || undefined
  const url = entry.base_url ?? (vendor && OFFICIAL_BASE_URLS[vendor === 'openai' ? 'responses' : vendor])
  if (url === undefined) throw new ServiceError('invalid-request', `${place}.base_url is missing.`)
  const first = read(url, 'base_url', keyName)
  const backups = entry.backup_urls.map((backup, index) =>
    read(backup, `backup_urls.${index}`, entry.backup_key_env || keyName),
  )
  return {
    id,
    entry,
    // `openai` alone means the newer protocol where the server supports it.
    api: protocol === 'openai' ? openaiApi(first.baseURL) : api,
    addresses: [first, ...backups],
  }
}

/** A key that the file names must be there, also for a host that would need none. */
function keyProblem(
  id: string,
  variable: string | undefined,
  { setting, baseURL }: { readonly setting: ProviderKey; readonly baseURL: string },
): string | undefined {
  if (variable !== undefined)
    return setting.key === undefined && !setting.isKeyless ? `${variable} is not set` : undefined
  if (mayReceivePrompts(setting, baseURL)) return undefined
  return `providers.${id} of models.yaml has no api_key_env (api_key: none if its host needs no key)`
}

/** The vendor of a provider, derived from its name. It determines the protocol and the default address. */
function vendorOf(
  id: string,
  { api_key_env: keyName = '' }: FileProvider,
): 'anthropic' | 'google' | 'openai' | undefined {
  const matches = (pattern: RegExp): boolean => pattern.test(id) || pattern.test(keyName)
  if (matches(/^(?:claude|anthropic)/i)) return 'anthropic'
  if (matches(/^(?:google|gemini)/i)) return 'google'
  return matches(/^openai/i) ? 'openai' : undefined
}

function providerOf(
  { id, entry, api, addresses }: Entry,
  file: ModelsFile,
  answers: AnswerOptions,
): Provider {
  const usable = addresses.filter(({ problem }) => problem === undefined)
  const reachable = entry.enabled && usable.length > 0
  const { timeout } = file.fallback_triggers
  const idleTimeoutSeconds =
    entry.timeout ?? (typeof timeout === 'number' ? timeout : DEFAULT_IDLE_TIMEOUT_SECONDS)
  const defaultModel = Object.values(file.models).find(({ provider }) => provider === id)?.model_name
  return {
    name: id,
    reachable,
    reason: entry.enabled ? reasonOf(addresses, usable[0]) : `providers.${id} of models.yaml is not enabled`,
    defaultModel,
    isUsableByDefault: reachable && defaultModel !== undefined,
    keyVariable: addresses[0]?.variable ?? `providers.${id}.api_key_env of models.yaml`,
    idleTimeoutMs: idleTimeoutSeconds * 1000,
    endpoint: { api, baseURL: addresses[0]?.baseURL ?? '' },
    ...connectProvider(api, entry.store && api === 'responses' ? usable.map(withStore) : usable, answers),
  }
}

function withStore(address: FileAddress): FileAddress {
  return { ...address, fetch: storeAnswers(fetchWithoutRedirects) }
}

function reasonOf(all: readonly FileAddress[], used: FileAddress | undefined): string {
  if (!used) return String(all[0]?.problem)
  return used.variable === undefined ? 'models.yaml says where it is' : `${used.variable} is set`
}
