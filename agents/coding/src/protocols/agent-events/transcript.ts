import type { AssistantMessage, AssistantPart, Message, Run, ToolPart, UserPart } from 'dragoman/events'
import type { AgentContent, AgentHistoryMessage } from './wire.ts'

/** The conversation for the next request: the history of the run, its message, and its answer. */
export function transcript({ request }: Run, answer: AssistantMessage): AgentHistoryMessage[] {
  return [...(request.history ?? []), { role: 'user' as const, parts: request.input }, answer].flatMap(
    toHistory,
  )
}

function toHistory(message: Pick<Message, 'role' | 'parts'>): AgentHistoryMessage[] {
  const entries: AgentHistoryMessage[] = []
  // A message that joins a step comes after it, as in the prompt.
  let userEntries: AgentHistoryMessage[] = []
  let step: AssistantPart[] = []
  const end = (): void => {
    entries.push(...toStep(step, entries.at(-1)), ...userEntries)
    step = []
    userEntries = []
  }
  if (message.role === 'user') return toUser(message.parts as readonly UserPart[])
  for (const part of message.parts as readonly AssistantPart[]) {
    if (part.type === 'user') userEntries.push(...toUser(part.input))
    else if (part.type === 'step') end()
    else step.push(part)
  }
  end()
  return entries
}

/** The text precedes the calls. An empty message separates calls without text from the step before. */
function toStep(
  step: readonly AssistantPart[],
  before: AgentHistoryMessage | undefined,
): AgentHistoryMessage[] {
  const content = step.map((part) => (part.type === 'text' ? part.text : '')).join('')
  const calls = step.flatMap((part) => (part.type === 'tool' ? toCall(part) : []))
  const isFirst = before === undefined || before.role === 'user' || calls.length === 0
  return content.trim() === '' && isFirst ? calls : [{ role: 'assistant', content }, ...calls]
}

/** A call that was cut off while its input streamed is none. */
function toCall({ callId, tool, input, state, text, failure }: ToolPart): AgentHistoryMessage[] {
  if (input === undefined) return []
  const call = { toolName: tool, toolInput: input, toolId: callId }
  if (state === 'returned') return [{ role: 'tool', content: text ?? '', ...call }]
  const content = failure?.message ?? 'This call has no outcome yet.'
  return [{ role: 'tool', content, ...call, isError: true }]
}

function toUser(parts: readonly UserPart[]): AgentHistoryMessage[] {
  if (parts.length === 0) return []
  const [first, ...others] = parts
  if (first?.type === 'text' && others.length === 0) return [{ role: 'user', content: first.text }]
  return [{ role: 'user', content: parts.map(toContent) }]
}

const IMAGE = /^data:(image\/[\w.+-]+);base64,/

function toContent(part: UserPart): AgentContent {
  if (part.type === 'text') return part
  const { url, filename } = part
  const [head, mimeType] = IMAGE.exec(url) ?? []
  if (head === undefined || mimeType === undefined) return part
  return {
    type: 'image',
    data: url.slice(head.length),
    mimeType,
    ...(filename !== undefined && { filename }),
  }
}
