import type { FileEvent, SourceEvent } from '../../events/index.ts'
import type { DataPart, Line } from './wire.ts'

/** A source of this format is a page. A document is data. */
export function toSourceLine(event: SourceEvent): Line {
  const { sourceId: id, url, title } = event
  if (url === undefined) return ['8', [toDocumentData(event)]]
  return ['h', { sourceType: 'url', id, url, ...(title !== undefined && { title }) }]
}

/** The format's own line holds the whole content. */
export function toFileData({ url, mediaType }: FileEvent): DataPart {
  return { type: 'data-file', data: { url, mediaType } }
}

export function toDocumentData({ sourceId, title, mediaType, filename }: SourceEvent): DataPart {
  const fields = {
    ...(title !== undefined && { title }),
    ...(mediaType !== undefined && { mediaType }),
    ...(filename !== undefined && { filename }),
  }
  return { type: 'data-source-document', data: { sourceId, ...fields } }
}
