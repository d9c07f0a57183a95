import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/sdk/types.js'

import { toolResult, type ToolResult } from 'dragoman/agents'
import { ServiceError } from 'dragoman/errors'
import type { Json } from 'dragoman/events'

/** Characters of a result that a model reads, and that its cards are given, at most. */
const MAX_TEXT_LENGTH = 100_000
/** Of what a tool says when it fails. */
const MAX_FAILURE_LENGTH = 4000
/** Characters of pictures and sounds that go along with one result, as they are encoded. */
const MAX_BINARY_LENGTH = 256 * 1024

/**
 * Converts a result. Text stays text; other blocks are named in it, and are in the output if they are small.
 * `output` is the structured data of the tool if there is some.
 * @throws ServiceError `tool-failed` with the text of a failed tool
 */
export function toToolResult(result: CallToolResult): ToolResult {
  const { content, structuredContent, isError } = result
  const words = content.map(wordsOf).filter((each) => each !== '')
  const text = words.join('\n')
  if (isError)
    throw new ServiceError(
      'tool-failed',
      cut(text, MAX_FAILURE_LENGTH) || 'The tool failed, and does not say why.',
    )
  const files = content.some((block) => block.type !== 'text')
  // The schema of the protocol lets through only what JSON holds.
  const data = (structuredContent ?? (files ? { content: smallBlocks(content) } : text)) as Json
  const summary = text === '' && structuredContent ? JSON.stringify(structuredContent) : text
  const isSmall =
    structuredContent === undefined || JSON.stringify(structuredContent).length <= MAX_TEXT_LENGTH
  return toolResult({
    output: typeof data === 'string' || !isSmall ? cut(summary, MAX_TEXT_LENGTH) : data,
    text: cut(summary, MAX_TEXT_LENGTH),
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
function smallBlocks(content: readonly ContentBlock[]): Json {
  let remaining = MAX_BINARY_LENGTH
  return content.map((block): Json => {
    const size = JSON.stringify(block).length
    remaining -= size
    return remaining >= 0
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
  const start = text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '')
  return `${start}\n[cut here: ${text.length - start.length} more characters]`
}
