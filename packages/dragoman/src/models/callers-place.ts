import { isServiceError, ServiceError } from '../errors.ts'
import { withoutRedirects, type Address, type Api } from './api.ts'
import { readBaseUrl } from './base-url.ts'
import { hasKey, KEY_HEADERS, type Wish } from './llm-config.ts'
import { knownByName, knownNames, namedIn, spokenAt } from './makers.ts'
import type { ConfiguredModels } from './registry.ts'

/** The way to addresses that a caller names: to public ones only, and those that the server's owner allows. */
export type Reach = {
  readonly fetch: typeof fetch
  /** @throws ServiceError `forbidden` for a private address */
  addressOf(host: string, port: number, signal: AbortSignal): Promise<string>
}

/** Where a caller's key goes, and for which model. */
export type Place = {
  readonly name: string
  readonly modelId: string
  readonly api: Api
  readonly address: Address
  readonly contextWindow?: number | undefined
}

type Known = { readonly meaning: ConfiguredModels['meaning']; readonly reach: Reach }

/** @throws ServiceError `invalid-request`, `forbidden` for a private address, `unauthorized` where the caller gives an address and no key */
export async function placeOf(wish: Wish, { meaning, reach }: Known, signal: AbortSignal): Promise<Place> {
  return wish.baseUrl === undefined
    ? placeKnown(wish, meaning)
    : placeNamed(wish, wish.baseUrl, { reach, signal })
}

/** Where the server has the provider, or else where its maker has it. */
function placeKnown(wish: Wish, meaning: ConfiguredModels['meaning']): Place {
  const { provider: name, modelId } = namedIn(wish, meaning)
  const meant = name === undefined ? undefined : meaning(name)
  const own = meant === 'offline' ? undefined : meant?.provider
  const known = name === undefined ? undefined : knownByName(name)
  const place = own?.place ?? (known && { api: known.api, baseURL: known.address })
  if (name === undefined || !place || place.baseURL === '')
    throw new ServiceError(
      'invalid-request',
      `llmConfig.provider is required where the model does not tell it: one of ${knownNames.join(', ')}, or llmConfig.baseUrl.`,
    )
  return {
    name,
    modelId: required(modelId ?? own?.defaultModel),
    api: wish.api ?? place.api,
    address: addressOf(place.baseURL, wish, withoutRedirects),
    contextWindow: wish.contextWindow ?? own?.contextWindows?.get(modelId ?? ''),
  }
}

async function placeNamed(
  wish: Wish,
  baseUrl: string,
  { reach, signal }: { reach: Reach; signal: AbortSignal },
): Promise<Place> {
  // People paste the whole address of a call.
  const text = baseUrl.replace(/\/(?:chat\/completions|messages|responses)\/?$/, '')
  const field = 'llmConfig.baseUrl'
  const url = new URL(readBaseUrl(text, field))
  if (!hasKey(wish))
    throw new ServiceError(
      'unauthorized',
      'llmConfig.apiKey is required with llmConfig.baseUrl: no key of this server goes there.',
    )
  const modelId = required(wish.modelId)
  const named = wish.provider === undefined ? undefined : knownByName(wish.provider)
  const { name = 'custom', api: spoken } = spokenAt(url, named)
  const api = wish.api ?? spoken
  await mustBePublic(url, reach, signal)
  const baseURL = readBaseUrl(text, field, api === 'google' ? 'v1beta' : 'v1')
  const { contextWindow } = wish
  return { name, modelId, api, address: addressOf(baseURL, wish, reach.fetch), contextWindow }
}

/** Before anything is answered. It is looked at again at each connection: by then the name may mean another host. */
async function mustBePublic(
  { hostname, port, protocol }: URL,
  reach: Reach,
  signal: AbortSignal,
): Promise<void> {
  try {
    await reach.addressOf(hostname, Number(port || (protocol === 'https:' ? 443 : 80)), signal)
  } catch (error) {
    signal.throwIfAborted()
    // What cannot be reached is told as any failure of a model.
    if (isServiceError(error, 'forbidden')) throw error
  }
}

function required(modelId: string | undefined): string {
  if (modelId !== undefined) return modelId
  throw new ServiceError('invalid-request', 'llmConfig.model is required')
}

/** Any header of the caller's may hold a key. */
function addressOf(baseURL: string, wish: Wish, send: typeof fetch): Address {
  const secrets = Object.values(wish.headers)
  return { baseURL, key: wish.apiKey, fetch: sending(send, wish), secrets }
}

/** With the caller's own headers, which win. */
function sending(send: typeof fetch, { apiKey, headers }: Wish): typeof fetch {
  return (url, options) => {
    const sent = new Headers(options?.headers)
    // Some packages insist on a key; where the caller has theirs in a header, it is the only one.
    if (apiKey === undefined) for (const name of KEY_HEADERS) sent.delete(name)
    for (const [name, value] of Object.entries(headers)) sent.set(name, value)
    return send(url, { ...options, headers: sent })
  }
}
