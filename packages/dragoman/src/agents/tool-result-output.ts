import { outputText, toJson } from './tool-result.ts'

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

/** Fields of the parts that the AI SDK, MCP and pi know. */
type ContentPart = {
  readonly type?: string
  readonly text?: string
  readonly mediaType?: string
  readonly mimeType?: string
  readonly url?: string
  readonly data?: string | { readonly type?: string; readonly text?: string; readonly url?: URL | string }
}

/** Names a part that is not text, because the log gives models text only. */
function partText(part: ContentPart): string {
  const { type = 'part', text, mimeType, mediaType = mimeType, url, data } = part
  if (text !== undefined) return text
  if (typeof data === 'object' && data.text !== undefined) return data.text
  const address = url ?? (typeof data === 'object' ? data.url?.toString() : undefined)
  return `[${[type, mediaType, address].filter(Boolean).join(', ')}]`
}
