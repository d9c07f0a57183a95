import type { Json } from './json.ts'
import type { AssistantMessage, ToolPart } from './message.ts'

/** A call in rows and in whole answers. `result` is the text that the model read. */
export type ToolInvocation = {
  readonly toolCallId: string
  readonly toolName: string
  readonly args: Json
  readonly state: 'pending' | 'running' | 'result' | 'error'
  readonly result?: string
}

/** The calls of a message, except those whose input was cut off. */
export function toToolInvocations({ parts }: AssistantMessage): ToolInvocation[] {
  return parts.flatMap((part) =>
    part.type === 'tool' && part.input !== undefined ? [toInvocation(part, part.input)] : [],
  )
}

function toInvocation(part: ToolPart, args: Json): ToolInvocation {
  const call = { toolCallId: part.callId, toolName: part.tool, args }
  switch (part.state) {
    case 'returned':
      return { ...call, state: 'result', result: part.text ?? '' }
    case 'failed':
      return { ...call, state: 'error', result: `Error: ${part.failure?.message ?? ''}` }
    case 'executing':
      return { ...call, state: 'running' }
    case 'input':
    case 'called':
    case 'asked':
    case 'answered':
      return { ...call, state: 'pending' }
  }
}
