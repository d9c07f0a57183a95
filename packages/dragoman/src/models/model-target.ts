import { isServiceError, ServiceError } from '../errors.ts'
import { fetchWithoutRedirects, type ProviderAddress, type ProviderApi } from './provider-api.ts'
import { readBaseUrl } from './base-url.ts'
import { hasKey, KEY_HEADERS, type LlmConfig } from './llm-config.ts'
import { findVendor, vendorNames, resolveProvider, detectApi } from './vendors.ts'
import type { ConfiguredModels } from './create-models.ts'

/** The way to addresses that a caller names: to public ones only, and those that the server's owner allows. */
export type PublicNetwork = {
  readonly fetch: typeof fetch
  /** @throws ServiceError `forbidden` for a private address */
  addressOf(host: string, port: number, signal: AbortSignal): Promise<string>
}

/** The address for a caller's key, and the model. */
export type ModelTarget = {
  readonly name: string
  readonly modelId: string
  readonly api: ProviderApi
  readonly address: ProviderAddress
  readonly contextWindow?: number | undefined
  /** Whether the owner of the server provides the model: it needs no key, so the caller's key pays nothing. */
  readonly isOwners?: boolean | undefined
}

type TargetOptions = {
  readonly resolveName: ConfiguredModels['resolveName']
  readonly network: PublicNetwork
}

/**
 * @throws ServiceError `invalid-request`, `forbidden` for a private address, `unauthorized` for an address
 * without a key
 */
export async function resolveTarget(
  config: LlmConfig,
  { resolveName, network }: TargetOptions,
  signal: AbortSignal,
): Promise<ModelTarget> {
  return config.baseUrl === undefined
    ? knownTarget(config, resolveName)
    : customTarget(config, config.baseUrl, { reach: network, signal })
}

/** The provider's configured address, or else its vendor's. */
function knownTarget(config: LlmConfig, resolveName: ConfiguredModels['resolveName']): ModelTarget {
  const { provider: name, modelId } = resolveProvider(config, resolveName)
  const resolution = name === undefined ? undefined : resolveName(name)
  const own = resolution === 'offline' ? undefined : resolution?.provider
  const knownVendor = name === undefined ? undefined : findVendor(name)
  const target = own?.endpoint ?? (knownVendor && { api: knownVendor.api, baseURL: knownVendor.address })
  if (name === undefined || !target || target.baseURL === '')
    throw new ServiceError(
      'invalid-request',
      'llmConfig.provider is required where the model does not tell it: one of ' +
        `${vendorNames.join(', ')}, or llmConfig.baseUrl.`,
    )
  return {
    name,
    modelId: requireModelId(modelId ?? own?.defaultModel),
    api: config.api ?? target.api,
    address: toAddress(target.baseURL, config, fetchWithoutRedirects),
    contextWindow: config.contextWindow ?? own?.contextWindows?.get(modelId ?? ''),
    isOwners: own?.reachable && own.secrets.length === 0,
  }
}

async function customTarget(
  config: LlmConfig,
  baseUrl: string,
  { reach, signal }: { reach: PublicNetwork; signal: AbortSignal },
): Promise<ModelTarget> {
  // People paste the whole address of a call.
  const text = baseUrl.replace(/\/(?:chat\/completions|messages|responses)\/?$/, '')
  const field = 'llmConfig.baseUrl'
  const url = new URL(readBaseUrl(text, field))
  if (!hasKey(config))
    throw new ServiceError(
      'unauthorized',
      'llmConfig.apiKey is required with llmConfig.baseUrl: no key of this server goes there.',
    )
  const modelId = requireModelId(config.modelId)
  const vendor = config.provider === undefined ? undefined : findVendor(config.provider)
  const { name = 'custom', api: detectedApi } = detectApi(url, vendor)
  const api = config.api ?? detectedApi
  await requirePublicHost(url, reach, signal)
  const baseURL = readBaseUrl(text, field, api === 'google' ? 'v1beta' : 'v1')
  const { contextWindow } = config
  return { name, modelId, api, address: toAddress(baseURL, config, reach.fetch), contextWindow }
}

/**
 * Checks the address before the answer starts. Each connection checks it again, because the name may mean
 * another host by then.
 */
async function requirePublicHost(
  { hostname, port, protocol }: URL,
  network: PublicNetwork,
  signal: AbortSignal,
): Promise<void> {
  try {
    await network.addressOf(hostname, Number(port || (protocol === 'https:' ? 443 : 80)), signal)
  } catch (error) {
    signal.throwIfAborted()
    // An unreachable host is reported later, as any failure of a model.
    if (isServiceError(error, 'forbidden')) throw error
  }
}

function requireModelId(modelId: string | undefined): string {
  if (modelId !== undefined) return modelId
  throw new ServiceError('invalid-request', 'llmConfig.model is required')
}

/** Any header of the caller's may hold a key. */
function toAddress(baseURL: string, config: LlmConfig, send: typeof fetch): ProviderAddress {
  const secrets = Object.values(config.headers)
  return { baseURL, key: config.apiKey, fetch: addCallerHeaders(send, config), secrets }
}

/** With the caller's own headers, which win. */
function addCallerHeaders(send: typeof fetch, { apiKey, headers }: LlmConfig): typeof fetch {
  return (url, options) => {
    const requestHeaders = new Headers(options?.headers)
    // Some packages need a key. If the caller's key is in a header, the package's own key header is removed.
    if (apiKey === undefined) for (const name of KEY_HEADERS) requestHeaders.delete(name)
    for (const [name, value] of Object.entries(headers)) requestHeaders.set(name, value)
    return send(url, { ...options, headers: requestHeaders })
  }
}
