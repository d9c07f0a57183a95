import {
  pausesAfter,
  type FinishReason,
  type Json,
  type Run,
  type RunEvent,
  type Usage,
} from 'dragoman/events'
import {
  advanceProgress,
  initialProgress,
  thinkingView,
  type Encoder,
  type RunProgress,
} from 'dragoman/protocols'
import { DEFAULT_RESULT, progress, toFinishReason } from '../eve/encode.ts'
import { eveErrorCode } from '../eve/error-code.ts'
import type { WallEFrame } from './wire.ts'

/** The part that is open, the number of texts so far, and the progress before the current event. */
type State = { part: string; content: string; texts: number; before: RunProgress }

type Context = { readonly run: Run; readonly at: number; readonly state: State }

/** Encodes a run's log as the frames of the Wall-E extension. */
export function encoder({ run, view }: { run: Run; view: Json }): Encoder {
  const { showThinking } = thinkingView(view)
  const state: State = { part: '', content: '', texts: 0, before: initialProgress }
  return ({ seq, at, event }) => {
    const isHidden = !showThinking && event.type.startsWith('reasoning.')
    const frames = isHidden ? [] : toFrames(event, { run, at, state })
    state.before = advanceProgress(state.before, event)
    const pause = pausesAfter(event, state.before.waiting)
      ? [endFrame(run, 'tool-calls', state.before.usage)]
      : []
    return [...frames, ...pause].map((frame, index) =>
      JSON.stringify({ id: `evt_${run.id}_${seq}_${index}`, ...frame }),
    )
  }
}

function toFrames(event: RunEvent, { run, at, state }: Context): WallEFrame[] {
  switch (event.type) {
    case 'run.started': {
      const timestamp = new Date(at).toISOString()
      return [{ type: 'message-start', messageId: run.messageId, role: 'assistant', timestamp }]
    }
    case 'reasoning.started':
      open(state, event.partId)
      return [{ type: 'reasoning-start', reasoningId: state.part }]
    case 'reasoning.delta':
      state.content += event.delta
      return [{ type: 'reasoning-delta', reasoningId: state.part, delta: event.delta }]
    case 'reasoning.ended':
      return [{ type: 'reasoning-end', reasoningId: state.part, content: state.content }]
    case 'text.started':
      open(state, event.partId)
      state.texts += 1
      return [{ type: 'text-start', textId: state.part }]
    case 'text.delta': {
      const delta = separator(state) + event.delta
      state.content += delta
      return [{ type: 'text-delta', textId: state.part, delta }]
    }
    case 'text.ended':
      return [{ type: 'text-end', textId: state.part, content: state.content }]
    case 'tool.called': {
      const { callId: toolCallId, tool: toolName, input } = event
      return [{ type: 'tool-call-start', toolCallId, toolName, arguments: input }]
    }
    case 'tool.progressed':
      return [{ type: 'tool-call-delta', toolCallId: event.callId, status: 'running', ...progress(event) }]
    case 'tool.returned':
      return [resultFrame(event.callId, event.text || DEFAULT_RESULT)]
    case 'tool.failed':
      // No frame announced a call that was cut off while its input streamed.
      if (!state.before.calls.has(event.callId)) return []
      return [resultFrame(event.callId, event.failure.message, true)]
    case 'run.finished':
    case 'run.cancelled':
    case 'run.failed':
      return endFrames(event, run)
    case 'data':
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

function open(state: State, partId: string): void {
  state.part = partId
  state.content = ''
}

/** The client joins all texts of an answer without a space. */
function separator({ texts, content }: State): string {
  return texts > 1 && content === '' ? '\n\n' : ''
}

function resultFrame(toolCallId: string, result: string, isError = false): WallEFrame {
  return { type: 'tool-call-result', toolCallId, result, isError }
}

type EndEvent = Extract<RunEvent, { type: 'run.finished' | 'run.cancelled' | 'run.failed' }>

function endFrames(event: EndEvent, run: Run): WallEFrame[] {
  if (event.type === 'run.finished') return [endFrame(run, event.reason, event.usage)]
  if (event.type === 'run.cancelled') return [endFrame(run, 'stop', event.usage)]
  const { message, retryAfter } = event.failure
  const code = eveErrorCode(event.failure)
  return [
    { type: 'error', code, message, ...(retryAfter !== undefined && { retryAfter }) },
    { ...endFrame(run, 'stop', event.usage), finishReason: 'error' },
  ]
}

function endFrame({ messageId }: Run, reason: FinishReason, { inputTokens, outputTokens }: Usage) {
  const finishReason = toFinishReason(reason)
  return { type: 'message-end', messageId, finishReason, usage: { inputTokens, outputTokens } } as const
}
