import { isJsonObject, type Json } from '../events/index.ts'

/** What is a provider's own goes through the log and back to it, under its name; `callId` is what it calls a call. */
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

/** What a part holds of this provider's own; what came from another is not for it. */
export function readProviderField(
  part: { readonly provider?: Json },
  provider: string,
): { readonly [key: string]: Json } {
  return isJsonObject(part.provider) && part.provider['name'] === provider ? part.provider : {}
}

/** Some providers tell a part's own (Claude its signature) with a delta or at its start: the newest counts at its end. */
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
