import { isJsonObject, type Json } from '../events/index.ts'

/**
 * Builds the `provider` field of an event: the provider's own data, which the log stores and the prompt returns.
 * `callId` is the provider's id of a call.
 */
export function toProviderField(
  provider: string,
  own: { readonly callId?: string; readonly metadata?: unknown },
): { provider?: Json } {
  if (own.metadata === undefined && own.callId === undefined) return {}
  return {
    provider: {
      name: provider,
      ...(own.callId !== undefined && { callId: own.callId }),
      ...(own.metadata !== undefined && { metadata: own.metadata as Json }),
    },
  }
}

/** The provider data of a part, if it came from this provider. */
export function readProviderField(
  part: { readonly provider?: Json },
  provider: string,
): { readonly [key: string]: Json } {
  return isJsonObject(part.provider) && part.provider['name'] === provider ? part.provider : {}
}

type ProviderOptions = { providerOptions?: Record<string, Record<string, Json>> }

export function metadataOptions(part: { readonly provider?: Json }, provider: string): ProviderOptions {
  return toProviderOptions(readProviderField(part, provider)['metadata'])
}

export function toProviderOptions(own: Json | undefined): ProviderOptions {
  return isJsonObject(own) ? { providerOptions: own as Record<string, Record<string, Json>> } : {}
}

/**
 * Stores the latest metadata of each part. Some providers send it with a delta or at the start (such as Claude's
 * signature).
 */
export interface MetadataBuffer {
  set(id: string, metadata: unknown): void
  /** Gives it, and forgets the part. */
  take(id: string): unknown
}

export function createMetadataBuffer(): MetadataBuffer {
  const values = new Map<string, unknown>()
  return {
    set(id, metadata) {
      if (metadata !== undefined) values.set(id, metadata)
    },
    take(id) {
      const newest = values.get(id)
      values.delete(id)
      return newest
    },
  }
}
