import {
  emptyMessage,
  fold,
  textOf,
  type AssistantMessage,
  type Json,
  type Run,
  type RunEvent,
  type TerminalEvent,
  type ToolPart,
  type Usage,
} from 'dragoman/events'
import type { Encoder } from 'dragoman/protocols'
import { QUESTION_NOTICE } from '../question-notice.ts'
import { toRunEndNotice } from '../run-end-notice.ts'
import { agentEventsView } from './agent-events-view.ts'
import { toPiName } from './pi-client.ts'
import { transcript } from './transcript.ts'
import type { AgentComplete, AgentEvent } from './wire.ts'

/** `speaking`: a `thinking_end` is owed. `spoken`: the step has had its `thinking_start`. */
type EncoderState = { answer: AssistantMessage; speaking: boolean; hasStarted: boolean }

/**
 * Writes a log as plain agent events. The last event has the whole conversation, so the encoder remembers all output.
 */
export function encoder({ run, view }: { run: Run; view: Json }): Encoder {
  const { showThinking, piClient } = agentEventsView(view)
  const state: EncoderState = { answer: emptyMessage(run.messageId), speaking: false, hasStarted: false }
  return ({ event }) => {
    state.answer = fold(state.answer, event)
    const frames = [...toSpeaking(event, state), ...toFrames(event, run, state.answer)].filter(
      ({ type }) => showThinking || type !== 'thinking',
    )
    const ofPi = [...toNoticeFrames(event), ...frames.map((frame) => withPiName(frame))]
    return (piClient ? ofPi : frames).map((frame) => JSON.stringify(frame))
  }
}

/** Why a run ended early, as words of the answer. A client that has left reads nothing. */
function toNoticeFrames(event: RunEvent): AgentEvent[] {
  const notice =
    event.type === 'run.failed' || event.type === 'run.finished' ? toRunEndNotice(event) : undefined
  return notice ? [{ type: 'content', content: `\n\n⚠ ${notice.value.message}` }] : []
}

function withPiName(frame: AgentEvent): AgentEvent {
  return 'toolName' in frame ? { ...frame, toolName: toPiName(frame.toolName) } : frame
}

/**
 * `thinking_start` comes before the first output of a message, `thinking_end` before a tool runs or the step ends.
 * Further calls belong to the same message, new text does not.
 */
function toSpeaking({ type }: RunEvent, state: EncoderState): AgentEvent[] {
  const isCall = type === 'tool.started' || type === 'tool.called'
  const begins = type === 'text.started' || type === 'reasoning.started' || (isCall && !state.hasStarted)
  const speaking = begins || (state.speaking && (!SPEECH_ENDS.has(type) || hasOpenText(state.answer)))
  state.hasStarted = type !== 'step.started' && (state.hasStarted || begins)
  if (speaking === state.speaking) return []
  state.speaking = speaking
  return [{ type: speaking ? 'thinking_start' : 'thinking_end' }]
}

function hasOpenText({ parts }: AssistantMessage): boolean {
  return parts.some((part) => 'open' in part && part.open)
}

const SPEECH_ENDS: ReadonlySet<RunEvent['type']> = new Set([
  'tool.asked',
  'tool.executing',
  'tool.returned',
  'tool.failed',
  'step.finished',
])

function toFrames(event: RunEvent, run: Run, answer: AssistantMessage): AgentEvent[] {
  switch (event.type) {
    case 'run.started':
      return [{ type: 'agent_start' }]
    case 'text.delta':
      return [{ type: 'content', content: event.delta }]
    case 'reasoning.delta':
      return [{ type: 'thinking', content: event.delta }]
    case 'tool.called':
      return [{ type: 'tool_use', toolName: event.tool, toolInput: event.input, toolId: event.callId }]
    case 'tool.progressed':
      return [{ type: 'tool_update', ...toolFields(answer, event.callId), content: progressText(event) }]
    case 'tool.returned':
      return [
        { type: 'tool_result', ...toolFields(answer, event.callId), content: event.text, isError: false },
      ]
    case 'tool.failed':
      // A call whose input was cut off has no `tool_use`.
      if (callOf(answer, event.callId)?.input === undefined) return []
      return [
        {
          type: 'tool_result',
          ...toolFields(answer, event.callId),
          content: event.failure.message,
          isError: true,
        },
      ]
    case 'tool.asked':
      if (event.question.kind === 'output') return []
      return [{ type: 'tool_update', ...toolFields(answer, event.callId), content: `${QUESTION_NOTICE}\n` }]
    case 'step.finished':
      return [{ type: 'turn_end' }]
    case 'run.failed':
      return [toError(event), toComplete(run, answer, event.usage)]
    case 'run.finished':
    case 'run.cancelled':
      return [toComplete(run, answer, event.usage)]
    case 'step.started':
    case 'text.started':
    case 'text.ended':
    case 'reasoning.started':
    case 'reasoning.ended':
    case 'tool.started':
    case 'tool.delta':
    case 'tool.answered':
    case 'tool.executing':
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

function callOf({ parts }: AssistantMessage, callId: string): ToolPart | undefined {
  const found = parts.findLast((part) => part.type === 'tool' && part.callId === callId)
  return found?.type === 'tool' ? found : undefined
}

function toolFields(answer: AssistantMessage, callId: string): { toolId: string; toolName: string } {
  return { toolId: callId, toolName: callOf(answer, callId)?.tool ?? '' }
}

/** Of what a tool tells on its way, its words; data where it has none. */
function progressText({ delta, output }: Extract<RunEvent, { type: 'tool.progressed' }>): string {
  if (delta !== undefined) return delta
  return typeof output === 'string' ? output : JSON.stringify(output ?? null)
}

function toError({ failure }: Extract<TerminalEvent, { type: 'run.failed' }>): AgentEvent {
  return { type: 'error', error: failure.message, message: failure.message, code: failure.code }
}

function toComplete(run: Run, answer: AssistantMessage, usage: Usage): AgentComplete {
  return { type: 'complete', messages: transcript(run, answer), usage, ...endFields(answer) }
}

function endFields({ status, finishReason }: AssistantMessage): { finishReason?: string; stopped?: true } {
  if (status === 'cancelled') return { stopped: true }
  return finishReason === undefined || finishReason === 'stop' ? {} : { finishReason }
}

/** The whole answer, for `stream: false`. */
export function wholeAnswer(run: Run, _view: Json, message: AssistantMessage): Json {
  return {
    messageId: message.id,
    content: textOf(message),
    messages: transcript(run, message),
    ...(message.usage && { usage: message.usage }),
    ...endFields(message),
  }
}
