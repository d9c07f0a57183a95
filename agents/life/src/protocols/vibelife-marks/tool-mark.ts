import { isJsonObject, type AssistantMessage, type Json } from 'dragoman/events'

/**
 * A tool's result within the text: `[[TOOL:name:json]]`. Its readers look for the next `]]`, so there is none in the
 * JSON. Nothing for a result that says an error: the agent says that in words.
 */
export function toolMark(tool: string, output: Json, text: string): string | undefined {
  const result = isJsonObject(output)
    ? output
    : { text, ...(output !== null && output !== text && { value: output }) }
  const { error } = result as { readonly error?: Json }
  if (error) return undefined
  return `[[TOOL:${tool.replaceAll(/\W/g, '_')}:${withoutBrackets(JSON.stringify(result))}]]`
}

/** The same JSON without two closing brackets in a row. */
function withoutBrackets(json: string): string {
  let isText = false
  let result = ''
  for (let at = 0; at < json.length; at++) {
    const sign = json[at] ?? ''
    if (isText && sign === '\\') {
      result += json.slice(at, at + 2)
      at += 1
      continue
    }
    if (sign === '"') isText = !isText
    if (sign === ']') result += isText ? String.raw`\u005d` : '] '
    else result += sign
  }
  return result
}

/** The text of an answer with its marks: for histories. */
export function markedText({ parts }: AssistantMessage): string {
  return parts
    .map((part) => {
      if (part.type === 'text') return part.text
      if (part.type !== 'tool' || part.state !== 'returned') return ''
      return toolMark(part.tool, part.output ?? null, part.text ?? '') ?? ''
    })
    .join('')
}
