import {
  isJsonObject,
  pausesAfter,
  reasoningOf,
  textOf,
  toToolInvocations,
  WAITING_FOR_MODEL,
  type AssistantMessage,
  type FinishReason,
  type Json,
  type Run,
  type RunEvent,
  type Usage,
} from 'dragoman/events'
import {
  initialProgress,
  advanceProgress,
  thinkingView,
  type Encoder,
  type RunProgress,
} from 'dragoman/protocols'
import type { EveFinishReason, EveFrame, EveUsage } from './wire.ts'

/** For a tool that has nothing to say. */
const DONE_WELL = 'Tool executed successfully'

/** Also the name of the open block. */
type Memory = { block: string; before: RunProgress }

/** Writes a run's log as the documented frames of the Eve jobs chat. */
export function encoder({ run, view }: { run: Run; view: Json }): Encoder {
  const { showThinking } = thinkingView(view)
  const memory: Memory = { block: '', before: initialProgress }
  return ({ seq, event }) => {
    if (!showThinking && event.type.startsWith('reasoning.')) return []
    const frames = toFrames(event, run, { seq, memory })
    memory.before = advanceProgress(memory.before, event)
    return [...frames, ...toPause(event, memory.before)].map((frame) => JSON.stringify(frame))
  }
}

/** What the run waits for has no word here. */
function toPause(event: RunEvent, after: RunProgress): EveFrame[] {
  const usage = eveUsage(after.usage)
  return pausesAfter(event, after.waiting) ? [{ type: 'finish', finishReason: 'tool-calls', usage }] : []
}

function toFrames(event: RunEvent, run: Run, { seq, memory }: { seq: number; memory: Memory }): EveFrame[] {
  switch (event.type) {
    case 'run.started':
      return [{ type: 'start', messageId: run.messageId }]
    case 'reasoning.started':
      memory.block = `reasoning_${name(run.id, seq)}`
      return [{ type: 'reasoning-start', id: memory.block }]
    case 'reasoning.delta':
      return [{ type: 'reasoning-delta', id: memory.block, delta: event.delta }]
    case 'reasoning.ended':
      return [{ type: 'reasoning-end', id: memory.block }]
    case 'text.started':
      memory.block = `text_${name(run.id, seq)}`
      return [{ type: 'text-start', id: memory.block }]
    case 'text.delta':
      return [{ type: 'text-delta', id: memory.block, delta: event.delta }]
    case 'text.ended':
      return [{ type: 'text-end', id: memory.block }]
    case 'tool.called':
      return [{ type: 'tool-call', toolCallId: event.callId, toolName: event.tool, args: event.input }]
    case 'tool.progressed':
      return [{ type: 'tool-call-delta', toolCallId: event.callId, status: 'running', ...progress(event) }]
    case 'tool.returned':
      return [{ type: 'tool-result', toolCallId: event.callId, result: event.text || DONE_WELL }]
    case 'tool.failed':
      // A call that was cut off while its input streamed has not been told of.
      if (!memory.before.calls.has(event.callId)) return []
      return [{ type: 'tool-result', toolCallId: event.callId, result: `Error: ${event.failure.message}` }]
    case 'run.finished':
      return [{ type: 'finish', finishReason: toFinishReason(event.reason), usage: eveUsage(event.usage) }]
    case 'run.cancelled':
      return [{ type: 'finish', finishReason: 'stop', usage: eveUsage(event.usage) }]
    case 'run.failed':
      return [
        { type: 'error', error: event.failure.message },
        { type: 'finish', finishReason: 'error', usage: eveUsage(event.usage) },
      ]
    case 'data':
      return waitOf(event)
    case 'step.started':
    case 'step.finished':
    case 'tool.started':
    case 'tool.delta':
    case 'tool.asked':
    case 'tool.answered':
    case 'tool.executing':
    case 'state.changed':
    case 'run.waiting':
    case 'run.resumed':
    case 'run.stop-requested':
    case 'user.joined':
      return []
  }
}

/** A ping may say how many seconds the server waits for the model's provider. Other data have no frame. */
function waitOf(event: Extract<RunEvent, { type: 'data' }>): EveFrame[] {
  const details = event.name === WAITING_FOR_MODEL && isJsonObject(event.value) ? event.value : {}
  const seconds = details['retryAfter']
  return typeof seconds === 'number' ? [{ type: 'ping', retryAfter: seconds }] : []
}

/**
 * The documented shape is `{current, total, message}`: of what a tool tells, what fits. A text of its is the message.
 */
function progress({ delta, output }: Extract<RunEvent, { type: 'tool.progressed' }>): { progress?: Json } {
  const details: { readonly [key: string]: Json | undefined } = isJsonObject(output)
    ? output
    : { message: output }
  const fits = {
    ...(typeof details['current'] === 'number' && { current: details['current'] }),
    ...(typeof details['total'] === 'number' && { total: details['total'] }),
    ...(typeof details['message'] === 'string' && { message: details['message'] }),
    ...(delta !== undefined && { message: delta }),
  }
  return Object.keys(fits).length === 0 ? {} : { progress: fits }
}

/** The whole answer, for `stream: false`. */
export function whole(run: Run, view: Json, message: AssistantMessage): Json {
  const { showThinking } = thinkingView(view)
  const reasoning = reasoningOf(message)
  const toolCalls = toToolInvocations(message)
  return {
    messageId: message.id,
    conversationId: run.threadId,
    content: textOf(message),
    ...(showThinking && reasoning !== '' && { reasoning }),
    ...(toolCalls.length > 0 && { toolCalls }),
    finishReason: reasonOf(message),
    ...(message.usage && { usage: eveUsage(message.usage) }),
  }
}

function reasonOf({ status, finishReason = 'other' }: AssistantMessage): EveFinishReason {
  if (status === 'failed') return 'error'
  return status === 'waiting' ? 'tool-calls' : toFinishReason(finishReason)
}

function toFinishReason(reason: FinishReason): EveFinishReason {
  switch (reason) {
    case 'stop':
    case 'tool-calls':
    case 'length':
    case 'content-filter':
      return reason
    case 'step-limit':
      return 'tool-calls'
    case 'interrupted':
    case 'other':
      return 'stop'
  }
}

/** Tokens under the names that the chat documents. */
function eveUsage({ inputTokens, outputTokens }: Usage): EveUsage {
  return { promptTokens: inputTokens, completionTokens: outputTokens }
}

const LETTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Eight letters made of run and place, so that every reader sees the same name: FNV-1a over two halves. */
function name(runId: string, seq: number): string {
  const halves = [hash(`${runId}#${seq}`), hash(`${seq}@${runId}`)]
  return halves
    .map((half) => [0, 1, 2, 3].map((place) => LETTERS[Math.floor(half / 62 ** place) % 62]).join(''))
    .join('')
}

function hash(text: string): number {
  let value = 0x811c9dc5
  for (const letter of text) value = Math.imul(value ^ (letter.codePointAt(0) ?? 0), 0x01000193) >>> 0
  return value
}
