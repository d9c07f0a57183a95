import {
  isJsonObject,
  isStructural,
  pausesAfter,
  textOf,
  type Answer,
  type AssistantMessage,
  type Failure,
  type FinishReason,
  type Json,
  type LogEntry,
  type Run,
  type ToolPart,
} from 'dragoman/events'
import {
  endsInCalls,
  initialProgress,
  advanceProgress,
  type EncoderStart,
  type Encoder,
  type RunProgress,
} from 'dragoman/protocols'
import type { VibeLifeFinishReason, VibeLifeFrame } from './wire.ts'

/** What stands between two texts of an answer, as where they are joined. */
const BETWEEN = '\n\n'

type Memory = {
  before: RunProgress
  /** Entries that are structure: whatever else has a number is a delta. */
  structural: number
  /** Deltas that the log had when the open text began, and whether a text before it had any. */
  deltas: number
  hasWords: boolean
}

/** Writes a run's log as the documented frames of the VibeLife chat. */
export function encoder({ run }: EncoderStart): Encoder {
  const memory: Memory = { before: initialProgress, structural: 0, deltas: 0, hasWords: false }
  return (entry) => {
    const frames = [...toText(entry, run, memory), ...toFrames(entry, memory)]
    memory.before = advanceProgress(memory.before, entry.event)
    if (isStructural(entry.event)) memory.structural += 1
    return [...frames, ...toPause(entry, memory.before)].map((frame) => JSON.stringify(frame))
  }
}

/** All texts of an answer are one to its reader, who puts delta to delta. */
function toText({ seq, event }: LogEntry, { messageId: id }: Run, memory: Memory): VibeLifeFrame[] {
  // Each entry has its number, and those that are structure are always told.
  const deltas = seq - 1 - memory.structural
  if (event.type === 'text.started') memory.deltas = deltas
  if (event.type === 'text.ended') memory.hasWords ||= deltas > memory.deltas
  if (event.type !== 'text.delta') return []
  const isNext = memory.hasWords && deltas === memory.deltas
  const delta = isNext ? `${BETWEEN}${event.delta}` : event.delta
  return delta === '' ? [] : [{ type: 'text-delta', id, delta }]
}

/** What the run waits for has no word here. */
function toPause({ event }: LogEntry, after: RunProgress): VibeLifeFrame[] {
  return pausesAfter(event, after.waiting) ? [{ type: 'finish', finishReason: 'tool-calls' }] : []
}

function toFrames({ event }: LogEntry, { before }: Memory): VibeLifeFrame[] {
  switch (event.type) {
    case 'tool.called': {
      const { callId: toolCallId, tool: toolName, input } = event
      return [{ type: 'tool-call', toolCallId, toolName, args: toArgs(input) }]
    }
    case 'tool.returned':
      return [toResult(event.callId, toObject(event, before.calls.get(event.callId)?.answer))]
    case 'tool.failed':
      // A call that was cut off while its input streamed has not been told of.
      return before.calls.has(event.callId) ? [toResult(event.callId, toFailed(event.failure))] : []
    case 'run.finished':
      return [{ type: 'finish', finishReason: toFinishReason(event.reason, before.hasCalls) }]
    case 'run.cancelled':
      return [{ type: 'finish', finishReason: 'stop' }]
    case 'run.failed': {
      const { code, message } = event.failure
      return [
        { type: 'error', error: message, code },
        { type: 'finish', finishReason: 'error' },
      ]
    }
    case 'text.started':
    case 'text.delta':
    case 'text.ended':
    case 'run.started':
    case 'reasoning.started':
    case 'reasoning.delta':
    case 'reasoning.ended':
    case 'step.started':
    case 'step.finished':
    case 'tool.started':
    case 'tool.delta':
    case 'tool.asked':
    case 'tool.answered':
    case 'tool.executing':
    case 'tool.progressed':
    case 'data':
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

type Fields = { readonly [field: string]: Json }

function toResult(toolCallId: string, result: Fields): VibeLifeFrame {
  return { type: 'tool-result', toolCallId, result }
}

/** Input that is no object comes in one; so does what a model wrote that is no JSON. */
function toArgs(input: Json): Fields {
  return isJsonObject(input) ? input : { input }
}

type Returned = { readonly output?: Json; readonly text: string }

/**
 * A result is always an object: a page looks in it for its card, and one that knows no such card has the words. An
 * object that the client
 * gave comes back as the client gave it.
 */
function toObject({ output = null, text }: Returned, answer: Answer | undefined): Fields {
  if (isJsonObject(output))
    return 'text' in output || answer?.kind === 'output' ? output : { ...output, text }
  return output === null || output === text ? { text } : { value: output, text }
}

/** A card like any other: a page that knows none such reads its words. */
function toFailed({ code, message }: Failure): Fields {
  return { status: 'error', cardType: 'tool_error', error: message, code, text: message }
}

/**
 * `isCut`: its last step has called tools. One whose steps were used up may have had a last word, and is whole then.
 */
function toFinishReason(reason: FinishReason, isCut: boolean): VibeLifeFinishReason {
  switch (reason) {
    case 'stop':
    case 'tool-calls':
    case 'length':
    case 'content-filter':
      return reason
    case 'step-limit':
      return isCut ? 'length' : 'stop'
    case 'interrupted':
    case 'other':
      return 'stop'
  }
}

/** The whole answer, for `stream: false`. */
export function whole({ id: runId, threadId }: Run, message: AssistantMessage): Json {
  const calls = message.parts.flatMap((part) => (part.type === 'tool' ? toCall(part) : []))
  return {
    id: message.id,
    runId,
    conversationId: threadId,
    content: textOf(message),
    ...(calls.length > 0 && { toolCalls: calls }),
    finishReason: reasonOf(message),
  }
}

function toCall({ callId, tool, input, state, output = null, text = '', failure, answer }: ToolPart): Json[] {
  if (input === undefined) return []
  const call = { toolCallId: callId, toolName: tool, args: toArgs(input) }
  if (failure) return [{ ...call, result: toFailed(failure) }]
  return [state === 'returned' ? { ...call, result: toObject({ output, text }, answer) } : call]
}

function reasonOf(message: AssistantMessage): VibeLifeFinishReason {
  const { status, finishReason = 'other' } = message
  if (status === 'failed') return 'error'
  return status === 'waiting' ? 'tool-calls' : toFinishReason(finishReason, endsInCalls(message))
}
