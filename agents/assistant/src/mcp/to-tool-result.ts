import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/sdk/types.js'

import { toolResult, type ToolResult } from 'dragoman/agents'
import { ServiceError } from 'dragoman/errors'
import type { Json } from 'dragoman/events'

/** Characters of a result that a model reads, and that its cards are given, at most. */
const MOST_TEXT = 100_000
/** Of what a tool says when it fails. */
const MOST_FAILURE = 4000
/** Characters of pictures and sounds that go along with one result, as they are encoded. */
const MOST_BINARY = 256 * 1024

/**
 * What a tool gave, as we have it. Words stay words; what is none is named among them, and goes along where it is small. `output` is the
 * tool's own data where it gives some. @throws ServiceError `tool-failed` with its words, where it says that it failed
 */
export function resultOf(result: CallToolResult): ToolResult {
  const { content, structuredContent, isError } = result
  const words = content.map(wordsOf).filter((each) => each !== '')
  const text = words.join('\n')
  if (isError)
    throw new ServiceError('tool-failed', cut(text, MOST_FAILURE) || 'The tool failed, and does not say why.')
  const files = content.some((block) => block.type !== 'text')
  // The schema of the protocol lets through only what JSON holds.
  const data = (structuredContent ?? (files ? { content: carried(content) } : text)) as Json
  const told = text === '' && structuredContent ? JSON.stringify(structuredContent) : text
  const isSmall = structuredContent === undefined || JSON.stringify(structuredContent).length <= MOST_TEXT
  return toolResult({
    output: typeof data === 'string' || !isSmall ? cut(told, MOST_TEXT) : data,
    text: cut(told, MOST_TEXT),
  })
}

function wordsOf(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return block.text
    case 'image':
    case 'audio':
      return `[${block.type}: ${block.mimeType}, ${sizeOf(block.data)}]`
    case 'resource_link':
      return `[resource: ${[block.title ?? block.name, block.uri, block.description ?? ''].filter(Boolean).join(', ')}]`
    case 'resource': {
      const { uri, mimeType = 'of no named type' } = block.resource
      if ('text' in block.resource) return `[resource: ${uri}]\n${block.resource.text}`
      return `[resource: ${uri}, ${mimeType}, ${sizeOf(block.resource.blob)}]`
    }
  }
}

/** The blocks as they came, as long as they are small together: from there on what is encoded is left out. */
function carried(content: readonly ContentBlock[]): Json {
  let left = MOST_BINARY
  return content.map((block): Json => {
    const size = JSON.stringify(block).length
    left -= size
    return left >= 0
      ? (JSON.parse(JSON.stringify(block)) as Json)
      : { type: 'text', text: cut(wordsOf(block), 2000) }
  })
}

function sizeOf(base64: string): string {
  const bytes = Math.floor((base64.length * 3) / 4)
  return bytes < 1024 ? `${bytes} bytes` : `${Math.round(bytes / 1024)} KB`
}

function cut(text: string, most: number): string {
  if (text.length <= most) return text
  const kept = text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '')
  return `${kept}\n[cut here: ${text.length - kept.length} more characters]`
}
