import type { Json } from '../api/types.ts'

/** The text of a result of an MCP tool that is nothing but text; any other value as it is. */
export function resultText(value: Json): Json {
  if (typeof value !== 'object' || value === null || !('content' in value)) return value
  const { content, _meta, isError: _isError, ...others } = value
  if (!Array.isArray(content) || content.length === 0 || Object.keys(others).length > 0) return value
  const texts = content.map((block) =>
    typeof block === 'object' && block !== null && 'text' in block && block['type'] === 'text'
      ? block['text']
      : undefined,
  )
  return texts.every((text) => typeof text === 'string') ? texts.join('\n') : value
}
