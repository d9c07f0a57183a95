import { isJsonObject, type CustomEvent, type FileEvent, type SourceEvent } from '../../events/index.ts'
import { toWholeUrl } from '../whole-url.ts'
import type { UiViewOptions } from './ui-view-options.ts'
import type { CustomPart, FilePart, SourcePart } from './wire.ts'

/** A source, as the stream and the history have it. A document must have a title. */
export function toSourcePart({ sourceId, url, title, mediaType, filename }: SourceEvent): SourcePart {
  const name = title !== undefined && { title }
  if (url !== undefined) return { type: 'source-url', sourceId, url, ...name }
  return {
    type: 'source-document',
    sourceId,
    mediaType: mediaType ?? 'application/octet-stream',
    title: title ?? filename ?? '',
    ...(filename !== undefined && { filename }),
  }
}

/** A file that the model made. Only the newest clients know those of its reasoning. */
export function toFileParts(
  { kind, mediaType, url: address }: FileEvent,
  { profile, showThinking, origin }: UiViewOptions,
): readonly FilePart[] {
  const url = toWholeUrl(address, origin)
  if (kind === 'output') return [{ type: 'file', url, mediaType }]
  return profile === 'v7' && showThinking ? [{ type: 'reasoning-file', url, mediaType }] : []
}

/** A provider's own part. It has no content but the provider's data. */
export function toCustomPart({ kind, provider }: CustomEvent): CustomPart {
  const metadata = isJsonObject(provider) ? provider['metadata'] : undefined
  return { type: 'custom', kind, ...(metadata !== undefined && { providerMetadata: metadata }) }
}

/** Clients neither run such a call nor send its result. */
export function toProviderExecuted({ by }: { readonly by?: 'provider' }): {
  readonly providerExecuted?: true
} {
  return by ? { providerExecuted: true } : {}
}
