import {
  isJsonObject,
  type AssistantMessage,
  type AssistantPart,
  type Json,
  type Message,
  type Run,
  type ToolPart,
  type UserPart,
} from 'dragoman/events'
import { toToolText } from 'dragoman/protocols'
import { firstRunId, reasoningId, resultId, stepMessageId, threadIdOf } from './client-ids.ts'
import { encryptedField } from './encrypted-value.ts'
import type { AgUiViewOptions, Profile } from './ag-ui-view-options.ts'
import type { AgUiMessage, AgUiToolCall, ContentPart } from './wire.ts'

/** A conversation with the instructions that the client gave, as the client would have it that had read every run. */
export function toAgUiMessages(run: Run, before: readonly Message[], profile: Profile): AgUiMessage[] {
  const messages = before.flatMap((message) =>
    message.role === 'user'
      ? [toUserMessage(message.clientId ?? message.id, message.parts)]
      : toStepMessages(message, profile),
  )
  return [...instructionsOf(run.request.context), ...messages]
}

/** The whole of a run, for `stream: false`. */
export function toWholeRun(
  run: Run,
  view: AgUiViewOptions,
  message: AssistantMessage,
  profile: Profile,
): Json {
  return {
    threadId: threadIdOf(run, view),
    runId: firstRunId(run),
    messages: toStepMessages(message, profile),
  }
}

function instructionsOf(context: Json): AgUiMessage[] {
  const instructions = isJsonObject(context) ? context['instructions'] : undefined
  if (!Array.isArray(instructions)) return []
  return instructions.flatMap((each: Json): AgUiMessage[] => {
    if (!isJsonObject(each)) return []
    const { id, role, content } = each
    if (typeof id !== 'string' || typeof content !== 'string') return []
    return role === 'system' || role === 'developer' ? [{ id, role, content }] : []
  })
}

function toUserMessage(id: string, parts: readonly UserPart[]): AgUiMessage {
  const [first] = parts
  const isText = parts.length === 1 && first?.type === 'text'
  return { id, role: 'user', content: isText ? first.text : parts.map(toContentPart) }
}

function toContentPart(part: UserPart): ContentPart {
  if (part.type === 'text') return part
  const { url, mediaType: mimeType, filename } = part
  const source = url.startsWith('data:')
    ? ({ type: 'data', value: url.slice(url.indexOf(',') + 1), mimeType } as const)
    : ({ type: 'url', value: url, mimeType } as const)
  return {
    type: kindOf(mimeType),
    source,
    ...(filename !== undefined && { metadata: { filename } }),
  }
}

function kindOf(mediaType: string): 'image' | 'audio' | 'video' | 'document' {
  const [kind] = mediaType.split('/')
  return kind === 'image' || kind === 'audio' || kind === 'video' ? kind : 'document'
}

/** A step's message while it is built. Its place is that of the step's start. */
type Step = {
  readonly id: string
  readonly texts: string[]
  readonly calls: AgUiToolCall[]
  readonly results: AgUiMessage[]
}

/**
 * The messages of a run: one for each step, followed by the results of its calls, and one for each reasoning
 * part.
 */
export function toStepMessages(message: AssistantMessage, profile: Profile): AgUiMessage[] {
  const places: (AgUiMessage | Step)[] = []
  const steps = new Map<string, Step>()
  let count = 0
  let reasonings = 0
  const step = (): Step => {
    const id = stepMessageId(message.id, profile === 'use-ai' ? 1 : count)
    const existing = steps.get(id)
    if (existing) return existing
    const newStep: Step = { id, texts: [], calls: [], results: [] }
    steps.set(id, newStep)
    places.push(newStep)
    return newStep
  }
  for (const part of message.parts) {
    if (part.type === 'step') count += 1
    else if (part.type === 'reasoning') {
      reasonings += 1
      const id = reasoningId(message.id, reasonings)
      places.push({ id, role: 'reasoning', content: part.text, ...encryptedField(part, profile) })
    } else if (part.type === 'user') places.push(toUserMessage(part.clientId ?? part.messageId, part.input))
    else if (part.type === 'tool' || 'text' in part) addPart(step(), part, profile)
  }
  return places.flatMap((place) => ('texts' in place ? finishStep(place) : [place]))
}

function addPart(
  step: Step,
  part: Extract<AssistantPart, { type: 'text' | 'reasoning' | 'tool' }>,
  profile: Profile,
): void {
  if (part.type !== 'tool') return void step.texts.push(part.text)
  const { callId: id, tool: name, input } = part
  const call = { name, arguments: JSON.stringify(input ?? {}) }
  step.calls.push({ id, type: 'function', function: call, ...encryptedField(part, profile) })
  const content = outcomeOf(part)
  if (content !== undefined) step.results.push({ id: resultId(id), role: 'tool', toolCallId: id, content })
}

function outcomeOf({ state, output, text = '', failure }: ToolPart): string | undefined {
  if (state === 'returned') return toToolText(output, text)
  return state === 'failed' ? (failure?.message ?? '') : undefined
}

function finishStep({ id, texts, calls, results }: Step): AgUiMessage[] {
  const content = texts.filter((text) => text !== '').join('\n\n')
  const toolCalls = calls.length === 0 ? {} : { toolCalls: calls }
  return [
    { id, role: 'assistant', ...((content !== '' || calls.length === 0) && { content }), ...toolCalls },
    ...results,
  ]
}
