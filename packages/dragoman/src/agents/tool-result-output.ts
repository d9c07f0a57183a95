import { stepByStep } from '../async/index.ts'
import { mediaTypeOf, readDataUrlInSteps } from '../events/index.ts'
import { outputText, toJson, type ToolFile } from './tool-result.ts'

/** The return value of `toModelOutput`: the text itself, or a `ToolResultOutput` of the AI SDK. */
export type ToolResultOutput =
  | string
  | { readonly type: 'text' | 'error-text'; readonly value: string }
  | { readonly type: 'json' | 'error-json'; readonly value: unknown }
  | { readonly type: 'content'; readonly value: readonly object[] }
  | { readonly type: 'execution-denied'; readonly reason?: string | undefined }

/**
 * The text of a return value of `toModelOutput`, in any version of the AI SDK; `undefined` if it has none of
 * these forms.
 */
export function toolResultText(output: unknown): string | undefined {
  if (typeof output === 'string') return output
  if (typeof output !== 'object' || output === null || !('type' in output)) return undefined
  const { type, value, reason } = output as { type: unknown; value?: unknown; reason?: unknown }
  switch (type) {
    case 'text':
    case 'error-text':
      return typeof value === 'string' ? value : undefined
    case 'json':
    case 'error-json':
      return outputText(toJson(value))
    case 'content':
      return Array.isArray(value) ? value.map(partText).join('\n') : undefined
    case 'execution-denied':
      return typeof reason === 'string' ? reason : 'The call was denied.'
    default:
      return undefined
  }
}

/** The files of a return value of `toModelOutput`, which its text names. */
export async function toolResultFiles(output: unknown): Promise<ToolFile[]> {
  if (typeof output !== 'object' || output === null || !('type' in output)) return []
  const { type, value } = output as { type: unknown; value?: unknown }
  if (type !== 'content' || !Array.isArray(value)) return []
  const files: ToolFile[] = []
  for (const part of value as readonly ContentPart[]) files.push(...(await partFile(part)))
  return files
}

/** Fields of the parts that the AI SDK, MCP and pi know. */
type ContentPart = {
  readonly type?: string
  readonly text?: string
  readonly mediaType?: string
  readonly mimeType?: string
  readonly filename?: string
  readonly url?: string
  readonly data?:
    | string
    | {
        readonly type?: string
        readonly text?: string
        readonly url?: URL | string
        readonly data?: string | Uint8Array
      }
}

/** Names a part that is not text, for those who see texts only. */
function partText(part: ContentPart): string {
  const { type = 'part', text, mimeType, mediaType = mimeType, filename, url, data } = part
  if (text !== undefined) return text
  if (typeof data === 'object' && data.text !== undefined) return data.text
  const address = url ?? (typeof data === 'object' ? data.url?.toString() : undefined)
  return `[${[type, filename, mediaType, address].filter(Boolean).join(', ')}]`
}

async function partFile(part: ContentPart): Promise<ToolFile[]> {
  const { type, mimeType, filename, data } = part
  if (part.text !== undefined) return []
  const { data: bytes, url = part.url } = typeof data === 'object' ? data : { data }
  const content = bytes === undefined ? URL.parse(String(url)) : await toBytes(bytes)
  if (!content) return []
  const declared = part.mediaType ?? mimeType ?? (type?.startsWith('image') ? 'image/*' : undefined)
  const mediaType =
    content instanceof URL ? (declared ?? 'application/octet-stream') : mediaTypeOf(content, declared)
  return [{ mediaType, ...(filename !== undefined && { filename }), content }]
}

async function toBytes(data: string | Uint8Array): Promise<Uint8Array> {
  if (typeof data !== 'string') return data
  const inline = await stepByStep(readDataUrlInSteps(data))
  return Buffer.from(inline?.data ?? data, 'base64')
}
