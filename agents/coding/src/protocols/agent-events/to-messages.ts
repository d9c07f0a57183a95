import type { AssistantPart, Json, Message, ToolPart, UserPart } from 'dragoman/events'
import { filePartSchema } from 'dragoman/protocols'
import { callRegistry, type Call, type CallRegistry } from './call-registry.ts'
import type { HistoryMessage } from './history-schema.ts'

/** What one call of the model has said, and asked for. */
type Step = (string | Call)[]
type Turn =
  | { readonly role: 'user'; readonly parts: readonly UserPart[] }
  | { readonly role: 'assistant'; readonly steps: Step[] }

type From<Role> = Extract<HistoryMessage, { role: Role }>
type Text = { readonly type: 'text'; readonly text: string }
type Content = Exclude<HistoryMessage['content'], null | undefined>

/**
 * The history of a client as a model accepts it. It begins with a user message, each call has one outcome, ids are
 * unique, and reasoning and empty messages are left out.
 */
export function toMessages(history: readonly HistoryMessage[]): Message[] {
  const turns: Turn[] = []
  const calls = callRegistry()
  for (const message of history) {
    switch (message.role) {
      case 'user':
        turns.push({ role: 'user', parts: toParts(message.content) })
        break
      case 'assistant':
        stepsAt(turns).push(toStep(message, calls))
        break
      case 'tool':
      case 'toolResult':
        addResult(message, calls, () => lastStep(turns))
        break
    }
  }
  const messages = turns.flatMap(toMessage)
  const first = messages.findIndex(({ role }) => role === 'user')
  return first === -1 ? [] : messages.slice(first)
}

function stepsAt(turns: Turn[]): Step[] {
  const last = turns.at(-1)
  if (last?.role === 'assistant') return last.steps
  const steps: Step[] = []
  turns.push({ role: 'assistant', steps })
  return steps
}

function lastStep(turns: Turn[]): Step {
  const steps = stepsAt(turns)
  const last = steps.at(-1) ?? []
  if (steps.length === 0) steps.push(last)
  return last
}

/** A message may also have a call and its result as fields. */
function toStep(message: From<'assistant'>, calls: CallRegistry): Step {
  const { content, toolName, toolInput, toolResult = null, toolId } = message
  const step: Step = partsOf(content ?? '').flatMap((part): Step => {
    if (part.type === 'toolCall') return [calls.open({ id: part.id, tool: part.name, input: part.arguments })]
    return part.type === 'thinking' ? [] : [partText(part)]
  })
  if (!toolName) return step
  const call = calls.open({ id: toolId, tool: toolName, input: toolInput ?? undefined })
  if (toolResult !== null) call.outcome = { ok: true, text: textOf(toolResult) }
  return [...step, call]
}

/** A result without its call is given one, where it stands. */
function addResult(message: From<'tool' | 'toolResult'>, calls: CallRegistry, here: () => Step): void {
  const isPlain = message.role === 'tool'
  const id = (isPlain ? message.toolId : message.toolCallId) || undefined
  const tool = message.toolName || undefined
  const { toolInput, toolResult = null } = isPlain ? message : {}
  const input = toolInput ?? undefined
  const outcome = {
    ok: message.isError !== true,
    text: toolResult === null ? contentText(message.content ?? '') : textOf(toolResult),
  }
  // With its input told, and no id, it is the call too, unless the assistant has told that already.
  const pending = calls.waiting({ id, tool, input })
  const call = pending ?? calls.open({ id, tool: tool ?? 'tool', input })
  call.outcome = outcome
  if (!pending) here().push(call)
}

function textOf(result: Json): string {
  return typeof result === 'string' ? result : JSON.stringify(result)
}

function contentText(content: Content): string {
  return partsOf(content)
    .map((part) => partText(part))
    .join('\n')
}

type Part = Exclude<Content, string>[number]

function partsOf<C extends Content>(content: C): readonly (Exclude<C, string>[number] | Text)[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content
}

/** Where there is only a place for words. */
function partText(part: Part): string {
  if (part.type === 'text') return part.text
  return `[${'filename' in part && part.filename ? part.filename : 'Image'}: left out]`
}

function toParts(content: From<'user'>['content']): UserPart[] {
  return partsOf(content).flatMap((part): UserPart[] => {
    if (part.type === 'image') return [toFile(part)]
    if (part.type === 'file') return [part]
    const text = partText(part)
    return text.trim() === '' ? [] : [{ type: 'text', text }]
  })
}

/** An image comes in its message, in base64; what is elsewhere is not fetched. */
function toFile(image: Extract<Part, { type: 'image' }>): UserPart {
  const leftOut: UserPart = { type: 'text', text: partText(image) }
  const { data = '', mimeType = 'image/png', filename } = image
  if (data === '') return leftOut
  const url = data.startsWith('data:') ? data : `data:${mimeType};base64,${data}`
  const file = { type: 'file', url, mediaType: mimeType, ...(filename !== undefined && { filename }) }
  const read = filePartSchema.safeParse(file)
  return read.success ? read.data : leftOut
}

function toMessage(turn: Turn, index: number): Message[] {
  const id = `past.${index}`
  if (turn.role === 'user') return turn.parts.length > 0 ? [{ role: 'user', id, parts: turn.parts }] : []
  const parts = turn.steps.flatMap((step, at): AssistantPart[] => {
    const content = step.filter((each) => typeof each !== 'string' || each.trim() !== '')
    if (content.length === 0) return []
    const convert = (each: string | Call, place: number) => toPart(each, `${id}.${at}.${place}`)
    return [{ type: 'step', model: '' }, ...content.map(convert)]
  })
  return parts.length > 0 ? [{ role: 'assistant', id, status: 'finished', parts }] : []
}

function toPart(each: string | Call, partId: string): AssistantPart {
  return typeof each === 'string' ? { type: 'text', partId, text: each, open: false } : toToolPart(each)
}

function toToolPart({ id: callId, tool, input, outcome }: Call): ToolPart {
  const call = { type: 'tool', callId, tool, inputText: '', input } as const
  if (outcome?.ok) return { ...call, state: 'returned', output: outcome.text, text: outcome.text }
  const failure = outcome
    ? { code: 'tool-failed', message: outcome.text, retryable: false }
    : { code: 'interrupted', message: 'The conversation has no outcome of this call.', retryable: false }
  return { ...call, state: 'failed', failure }
}
