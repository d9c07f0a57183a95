import { toolResult, withErrorFiles, type ToolFile, type ToolResult } from '../agents/index.ts'
import { ServiceError } from '../errors.ts'
import { canonicalJson, findJsonExcess, parseJson, type Json } from '../events/index.ts'
import type { RawResult } from './call-tool.ts'
import { readBlocks, type Block } from './read-blocks.ts'

/** Characters of a result that a model reads, at most. */
const MAX_TEXT_LENGTH = 100_000
/** Of what a tool says when it fails. */
const MAX_FAILURE_LENGTH = 4000
/** Characters of an output, at most. */
const MAX_OUTPUT_LENGTH = 256 * 1024

/**
 * Converts a result. The output is the result as the AI SDK's own MCP client gives it. In the text, blocks that are no
 * text are named. Their files go along.
 * @throws ServiceError `tool-failed` with the text of a failed tool
 */
export function toToolResult(result: RawResult): ToolResult {
  // It came as JSON.
  const { resultType: _, ...fields } = result as { [field: string]: Json }
  const { content: raw, structuredContent, isError, _meta, ...others } = fields
  const hasOthers = raw === undefined && structuredContent === undefined && Object.keys(others).length > 0
  const content = readBlocks(hasOthers ? [others] : raw)
  const words = content.map(wordsOf).filter((each) => each !== '')
  const text = words.join('\n')
  const summary = withStructure(text, structuredContent)
  if (isError === true)
    throw withErrorFiles(
      new ServiceError(
        'tool-failed',
        cut(summary, MAX_FAILURE_LENGTH) || 'The tool failed, and does not say why.',
      ),
      content.flatMap(fileOf),
    )
  const cutText = cut(summary, MAX_TEXT_LENGTH)
  return toolResult({
    output: toOutput(content, hasOthers ? {} : fields, cutText),
    text: cutText,
    files: content.flatMap(fileOf),
  })
}

/** The model reads the structured data too, unless it says what the text says. */
function withStructure(text: string, structured: Json | undefined): string {
  if (structured === undefined || structured === null) return text
  const json = typeof structured === 'string' ? structured : JSON.stringify(structured)
  if (text === '' || json.length > MAX_TEXT_LENGTH) return text || json
  const value = (findJsonExcess(text) ? undefined : parseJson(text)) ?? text
  // FastMCP puts a result that is no object into one.
  const isSaid = [value, { result: value }, { result: text }].some(
    (each) => canonicalJson(each) === canonicalJson(structured),
  )
  return isSaid ? text : `${text}\n${json}`
}

/** A picture, a sound, or a resource that is no text. */
function fileOf(block: Block): ToolFile[] {
  if (block.type === 'image' || block.type === 'audio')
    return [{ mediaType: block.mimeType, content: Buffer.from(block.data, 'base64') }]
  if (block.type !== 'resource' || !('blob' in block.resource)) return []
  const { uri, blob, mimeType = 'application/octet-stream' } = block.resource
  const [filename = ''] = uri.split(/[?#]/, 1)[0]?.split('/').slice(-1) ?? []
  const named = filename !== '' && { filename }
  return [{ mediaType: mimeType, ...named, content: Buffer.from(blob, 'base64') }]
}

function wordsOf(block: Block): string {
  switch (block.type) {
    case 'text':
      return block.text
    case 'image':
    case 'audio':
      return `[${block.type}: ${block.mimeType}, ${sizeOf(block.data)}]`
    case 'other':
      return JSON.stringify(block.value)
    case 'resource_link':
      return `[resource: ${[block.title ?? block.name, block.uri, block.description ?? ''].filter(Boolean).join(', ')}]`
    case 'resource': {
      const { uri, mimeType = 'of no named type' } = block.resource
      if ('text' in block.resource) return `[resource: ${uri}]\n${block.resource.text}`
      return `[resource: ${uri}, ${mimeType}, ${sizeOf(block.resource.blob)}]`
    }
  }
}

/** Of a result that is too large, without the content of its files; then its text. */
function toOutput(
  content: readonly Block[],
  fields: { readonly [field: string]: Json },
  text: string,
): object {
  const whole = { ...fields, content: content.map((block) => (block.type === 'other' ? block.value : block)) }
  if (lengthOf(whole) <= MAX_OUTPUT_LENGTH) return whole
  const slim = { ...fields, content: content.map(withoutContent) }
  return lengthOf(slim) <= MAX_OUTPUT_LENGTH ? slim : { content: [{ type: 'text', text }] }
}

function lengthOf(value: unknown): number {
  return JSON.stringify(value).length
}

function withoutContent(block: Block): unknown {
  if (block.type === 'other') return block.value
  if (block.type === 'image' || block.type === 'audio') {
    const { data: _, ...rest } = block
    return rest
  }
  if (block.type !== 'resource' || !('blob' in block.resource)) return block
  const { blob: _, ...resource } = block.resource
  return { ...block, resource }
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
