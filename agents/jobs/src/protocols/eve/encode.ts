import {
  isJsonObject,
  pausesAfter,
  reasoningOf,
  textOf,
  toToolInvocations,
  WAITING_FOR_MODEL,
  type AssistantMessage,
  type Failure,
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
import { eveErrorCode } from './error-code.ts'
import type { EveFinishReason, EveFrame, EveUsage } from './wire.ts'

/** The result of a tool without a text. */
export const DEFAULT_RESULT = 'Tool executed successfully'

/** The id of the open block, and the progress before the current event. */
type State = { block: string; before: RunProgress }

/** Encodes a run's log as the documented frames of the Eve jobs chat. */
export function encoder({ run, view }: { run: Run; view: Json }): Encoder {
  const { showThinking } = thinkingView(view)
  const state: State = { block: '', before: initialProgress }
  return ({ seq, event }) => {
    if (!showThinking && event.type.startsWith('reasoning.')) return []
    const frames = toFrames(event, run, { seq, state })
    state.before = advanceProgress(state.before, event)
    return [...frames, ...pauseFrames(event, state.before)].map((frame) => JSON.stringify(frame))
  }
}

/** A waiting run ends the stream; no frame says what it waits for. */
function pauseFrames(event: RunEvent, after: RunProgress): EveFrame[] {
  const usage = eveUsage(after.usage)
  return pausesAfter(event, after.waiting) ? [{ type: 'finish', finishReason: 'tool-calls', usage }] : []
}

function toFrames(event: RunEvent, run: Run, { seq, state }: { seq: number; state: State }): EveFrame[] {
  switch (event.type) {
    case 'run.started':
      return [{ type: 'start', messageId: run.messageId }]
    case 'reasoning.started':
      state.block = `reasoning_${blockId(run.id, seq)}`
      return [{ type: 'reasoning-start', id: state.block }]
    case 'reasoning.delta':
      return [{ type: 'reasoning-delta', id: state.block, delta: event.delta }]
    case 'reasoning.ended':
      return [{ type: 'reasoning-end', id: state.block }]
    case 'text.started':
      state.block = `text_${blockId(run.id, seq)}`
      return [{ type: 'text-start', id: state.block }]
    case 'text.delta':
      return [{ type: 'text-delta', id: state.block, delta: event.delta }]
    case 'text.ended':
      return [{ type: 'text-end', id: state.block }]
    case 'tool.called':
      return [{ type: 'tool-call', toolCallId: event.callId, toolName: event.tool, args: event.input }]
    case 'tool.progressed':
      return [{ type: 'tool-call-delta', toolCallId: event.callId, status: 'running', ...progress(event) }]
    case 'tool.returned':
      return [{ type: 'tool-result', toolCallId: event.callId, result: event.text || DEFAULT_RESULT }]
    case 'tool.failed':
      // No frame announced a call that was cut off while its input streamed.
      if (!state.before.calls.has(event.callId)) return []
      return [{ type: 'tool-result', toolCallId: event.callId, result: `Error: ${event.failure.message}` }]
    case 'run.finished':
      return [{ type: 'finish', finishReason: toFinishReason(event.reason), usage: eveUsage(event.usage) }]
    case 'run.cancelled':
      return [{ type: 'finish', finishReason: 'stop', usage: eveUsage(event.usage) }]
    case 'run.failed':
      return [
        errorFrame(event.failure),
        { type: 'finish', finishReason: 'error', usage: eveUsage(event.usage) },
      ]
    case 'data':
      return pingFrames(event)
    case 'step.started':
    case 'step.finished':
    case 'tool.started':
    case 'tool.delta':
    case 'tool.asked':
    case 'tool.answered':
    case 'tool.executing':
    case 'source':
    case 'file':
    case 'custom':
    case 'state.changed':
    case 'run.waiting':
    case 'run.resumed':
    case 'run.stop-requested':
    case 'user.joined':
      return []
  }
}

function errorFrame(failure: Failure): EveFrame {
  const { message, retryAfter } = failure
  return {
    type: 'error',
    error: message,
    code: eveErrorCode(failure),
    ...(retryAfter !== undefined && { retryAfter }),
  }
}

/** A ping may state the seconds for which the server waits for the model's provider. Other data has no frame. */
function pingFrames(event: Extract<RunEvent, { type: 'data' }>): EveFrame[] {
  const details = event.name === WAITING_FOR_MODEL && isJsonObject(event.value) ? event.value : {}
  const seconds = details['retryAfter']
  return typeof seconds === 'number' ? [{ type: 'ping', retryAfter: seconds }] : []
}

/** The fields of a tool's progress that the documented shape `{current, total, message}` has. A text is the message. */
export function progress({ delta, output }: Extract<RunEvent, { type: 'tool.progressed' }>): {
  progress?: Json
} {
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

export function toFinishReason(reason: FinishReason): EveFinishReason {
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

/** Tokens under the documented names. */
function eveUsage({ inputTokens, outputTokens }: Usage): EveUsage {
  return { promptTokens: inputTokens, completionTokens: outputTokens }
}

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Eight characters made of the run and the entry's number, so that each reader sees the same id. */
function blockId(runId: string, seq: number): string {
  return [hash(`${runId}#${seq}`), hash(`${seq}@${runId}`)]
    .flatMap((half) => [1, 62, 62 ** 2, 62 ** 3].map((place) => ALPHABET[Math.floor(half / place) % 62]))
    .join('')
}

/** FNV-1a. */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (const letter of text) value = Math.imul(value ^ (letter.codePointAt(0) ?? 0), 0x01000193) >>> 0
  return value
}
