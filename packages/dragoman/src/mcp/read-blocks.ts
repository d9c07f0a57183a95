import type { ContentBlock } from '@modelcontextprotocol/client'

import { isJsonObject, readDataUrl, type DataUrl, type Json } from '../events/index.ts'

/** A block of a result: one that the protocol knows, or whatever else the server has put in its place. */
export type Block = ContentBlock | { readonly type: 'other'; readonly value: Json }

type JsonObject = { readonly [field: string]: Json }

/** Reads the content of a result. A block that is not as the protocol demands costs no other one. */
export function readBlocks(content: Json | undefined): readonly Block[] {
  if (content === undefined || content === null) return []
  return (Array.isArray(content) ? content : [content]).filter((each) => each !== null).map(readBlock)
}

function readBlock(value: Json): Block {
  if (typeof value === 'string') return { type: 'text', text: value }
  return isJsonObject(value) && isKnown(value) ? toBlock(value) : { type: 'other', value }
}

/** The media type can be missing, a field can be null for a missing one, and files can be the URLs of their content. */
function toBlock(block: JsonObject): ContentBlock {
  const value = withoutNulls(block)
  const { type, data } = value
  if (type === 'image' || type === 'audio') {
    const { mediaType, data: content } = readContent(data)
    const { mimeType = mediaType ?? 'application/octet-stream' } = value
    const isTyped = typeof mimeType === 'string'
    return {
      ...value,
      data: content,
      mimeType: isTyped ? mimeType : 'application/octet-stream',
    } as unknown as ContentBlock
  }
  if (type !== 'resource' || !isJsonObject(value['resource'])) return value as unknown as ContentBlock
  const resource = withoutNulls(value['resource'])
  const { data: blob } = readContent(resource['blob'])
  const file = 'blob' in resource && { blob }
  return { ...value, resource: { ...resource, ...file } } as unknown as ContentBlock
}

function withoutNulls(fields: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null))
}

/** Some servers give the address of the content. */
function readContent(data: Json | undefined): Partial<DataUrl> {
  if (typeof data !== 'string') return {}
  return readDataUrl(data) ?? { data }
}

/** Whether a block has the fields that are read of its type. */
function isKnown({ type, text, data, uri, name, resource }: JsonObject): boolean {
  switch (type) {
    case 'text':
      return typeof text === 'string'
    case 'image':
    case 'audio':
      return typeof data === 'string'
    case 'resource_link':
      return typeof uri === 'string' && typeof name === 'string'
    case 'resource':
      return (
        resource !== undefined &&
        isJsonObject(resource) &&
        typeof resource['uri'] === 'string' &&
        (typeof resource['text'] === 'string' || typeof resource['blob'] === 'string')
      )
    default:
      return false
  }
}
