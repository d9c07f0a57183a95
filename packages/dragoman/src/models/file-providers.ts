import { ServiceError } from '../errors.ts'
import { OFFICIAL, openaiApi, type Address, type Api } from './api.ts'
import { readBaseUrl } from './base-url.ts'
import type { AnswerLimits } from './bounded.ts'
import { SILENCE_SECONDS, type KeyOwner } from './built-in.ts'
import type { FileProvider, ModelsFile } from './models-file.ts'
import { setting, spokenTo, type Environment, type Provider } from './provider.ts'

/** An address of the file, the variable whose key goes there, and why it cannot be used, if so. */
type FileAddress = Address & { readonly variable: string | undefined; readonly missing: string | undefined }

type Entry = {
  readonly id: string
  readonly entry: FileProvider
  readonly api: Api
  readonly addresses: readonly FileAddress[]
}

/**
 * The providers of models.yaml, and who of them has a key: what the file gives an address is taken by no other provider elsewhere.
 * @throws ServiceError `invalid-request` for an unreadable or missing address.
 */
export function fileProviders(
  file: ModelsFile,
  env: Environment,
  limits: AnswerLimits,
): { readonly providers: readonly Provider[]; readonly ownerOf: KeyOwner } {
  const entries = Object.entries(file.providers).map(([id, entry]) => readEntry(id, entry, file, env))
  return {
    providers: entries.map((entry) => providerOf(entry, file, limits)),
    ownerOf(variable, baseURL) {
      const owners = entries.filter(({ addresses }) => addresses.some((one) => one.variable === variable))
      return owners.some(({ addresses }) => addresses.some((one) => one.baseURL === baseURL))
        ? undefined
        : owners[0]?.id
    },
  }
}

function readEntry(id: string, entry: FileProvider, file: ModelsFile, env: Environment): Entry {
  const maker = makerOf(id, entry)
  const said = entry.api ?? entry.api_protocol ?? maker ?? 'openai'
  const api = said === 'openai' ? 'chat' : said
  const place = `models.yaml: providers.${id}`
  const read = (text: string, field: string, keyName: string | undefined): FileAddress => {
    const variable = keyName === undefined ? undefined : (file.env_mapping[keyName] ?? keyName)
    const key = variable === undefined ? undefined : setting(env, variable)
    const keyless = variable !== undefined && key === undefined ? `${variable} is not set` : undefined
    const nowhere = text === '' ? `providers.${id}.base_url of models.yaml is empty` : undefined
    const baseURL =
      text === '' ? '' : readBaseUrl(text, `${place}.${field}`, api === 'google' ? 'v1beta' : 'v1')
    return { baseURL, key, variable, missing: nowhere ?? keyless }
  }
  const keyName = entry.api_key_env || undefined
  const url = entry.base_url ?? (maker && OFFICIAL[maker === 'openai' ? 'responses' : maker])
  if (url === undefined) throw new ServiceError('invalid-request', `${place}.base_url is missing.`)
  const first = read(url, 'base_url', keyName)
  const backups = entry.backup_urls.map((backup, index) =>
    read(backup, `backup_urls.${index}`, entry.backup_key_env || keyName),
  )
  return {
    id,
    entry,
    // Who says no more than "openai" has the newer protocol where it is spoken.
    api: said === 'openai' ? openaiApi(first.baseURL) : api,
    addresses: [first, ...backups],
  }
}

/** Whose a provider is by its name, where the file says no more: how it is spoken to, and an address that its key may go to. */
function makerOf(
  id: string,
  { api_key_env: keyName = '' }: FileProvider,
): 'anthropic' | 'google' | 'openai' | undefined {
  const named = (pattern: RegExp): boolean => pattern.test(id) || pattern.test(keyName)
  if (named(/^(?:claude|anthropic)/i)) return 'anthropic'
  if (named(/^(?:google|gemini)/i)) return 'google'
  return named(/^openai/i) ? 'openai' : undefined
}

function providerOf({ id, entry, api, addresses }: Entry, file: ModelsFile, limits: AnswerLimits): Provider {
  const usable = addresses.filter(({ missing }) => missing === undefined)
  const reachable = entry.enabled && usable.length > 0
  const { timeout } = file.fallback_triggers
  const silence = entry.timeout ?? (typeof timeout === 'number' ? timeout : SILENCE_SECONDS)
  const defaultModel = Object.values(file.models).find(({ provider }) => provider === id)?.model_name
  return {
    name: id,
    reachable,
    because: entry.enabled ? because(addresses, usable[0]) : `providers.${id} of models.yaml is not enabled`,
    defaultModel,
    mayStandIn: reachable && defaultModel !== undefined,
    keyVariable: addresses[0]?.variable ?? `providers.${id}.api_key_env of models.yaml`,
    silenceMs: silence * 1000,
    place: { api, baseURL: addresses[0]?.baseURL ?? '' },
    ...spokenTo(api, usable, limits),
  }
}

function because(all: readonly FileAddress[], used: FileAddress | undefined): string {
  if (!used) return String(all[0]?.missing)
  return used.variable === undefined ? 'models.yaml says where it is' : `${used.variable} is set`
}
