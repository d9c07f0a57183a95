import {
  isTerminal,
  pausesAfter,
  type DataEvent,
  type Json,
  type Run,
  type RunEvent,
  type TerminalEvent,
  type ToolEvent,
} from '../../events/index.ts'
import { omitPrototypeKeys } from '../omit-prototype-keys.ts'
import { toFrame } from './to-frame.ts'
import type { Encoder, Frame } from '../protocol.ts'
import { initialProgress, advanceProgress, type RunProgress } from '../run-progress.ts'
import { toCustomPart, toFileParts, toProviderExecuted, toSourcePart } from './provider-parts.ts'
import { toToolProgress } from '../tool-output.ts'
import { isConfirmable } from '../is-confirmable.ts'
import {
  encodeAnswered,
  encodeAsked,
  toInputAvailable,
  encodeExecuting,
  encodeFailed,
} from './approval-chunks.ts'
import { toSteeringPart } from './steering-part.ts'
import { parseUiViewOptions, type UiViewOptions } from './ui-view-options.ts'
import { DONE, type Chunk, type MessageMetadata, type UiFinishReason } from './wire.ts'

/** Writes a run's log as the AI SDK's UI message stream. */
export function createEncoder({ run, view }: { run: Run; view: Json }): Encoder {
  const uiOptions = parseUiViewOptions(view)
  let before = initialProgress
  return ({ event }): Frame[] => {
    const after = advanceProgress(before, event)
    const frames = toChunks(event, { run, view: uiOptions, before }).map(toFrame)
    before = after
    if (isTerminal(event)) return [...frames, DONE]
    return pausesAfter(event, after.waiting) ? [...frames, toFrame(toPause(after, uiOptions)), DONE] : frames
  }
}

function toPause({ waiting, usage }: RunProgress, { profile }: UiViewOptions): Chunk {
  const messageMetadata = { finishReason: 'tool-calls', waiting, usage }
  return { type: 'finish', ...(profile !== 'v5' && { finishReason: 'tool-calls' }), messageMetadata }
}

type Context = { readonly run: Run; readonly view: UiViewOptions; readonly before: RunProgress }

function toChunks(event: RunEvent, context: Context): readonly Chunk[] {
  const { view: wanted } = context
  switch (event.type) {
    case 'run.started':
      return [toStart(context.run)]
    case 'step.started':
      return [{ type: 'start-step' }]
    case 'step.finished':
      return [{ type: 'finish-step' }]
    case 'text.started':
      return [{ type: 'text-start', id: event.partId }]
    case 'text.delta':
      return [{ type: 'text-delta', id: event.partId, delta: event.delta }]
    case 'text.ended':
      return [{ type: 'text-end', id: event.partId }]
    case 'reasoning.started':
      return wanted.showThinking ? [{ type: 'reasoning-start', id: event.partId }] : []
    case 'reasoning.delta':
      return wanted.showThinking ? [{ type: 'reasoning-delta', id: event.partId, delta: event.delta }] : []
    case 'reasoning.ended':
      return wanted.showThinking ? [{ type: 'reasoning-end', id: event.partId }] : []
    case 'tool.started':
    case 'tool.delta':
    case 'tool.called':
    case 'tool.asked':
    case 'tool.answered':
    case 'tool.executing':
    case 'tool.progressed':
    case 'tool.returned':
    case 'tool.failed':
      return isConfirmable(event, context) ? toConfirmChunks(event, context) : toToolChunks(event, context)
    case 'data':
      return [toDataChunk(event)]
    case 'source':
      return [toSourcePart(event)]
    case 'file':
      return toFileParts(event, wanted)
    case 'custom':
      return wanted.profile === 'v7' ? [toCustomPart(event)] : []
    case 'user.joined':
      return [toSteeringPart(event, wanted)]
    case 'run.resumed':
      return event.because === 'answer'
        ? [{ type: 'message-metadata', messageMetadata: { waiting: [] } }]
        : []
    case 'run.cancelled':
    case 'run.failed':
    case 'run.finished':
      return toEndChunks(event, context)
    // The frames of a pause follow all others of its entry. The other events have no chunk.
    case 'run.waiting':
    case 'run.stop-requested':
    case 'state.changed':
      return []
  }
}

function toDataChunk({ name, id, value, transient }: DataEvent): Chunk {
  return {
    type: `data-${name}`,
    ...(id !== undefined && { id }),
    data: value,
    ...(transient && { transient: true }),
  }
}

function toStart({ id, threadId, messageId }: Run): Chunk {
  return { type: 'start', messageId, messageMetadata: { runId: id, conversationId: threadId } }
}

/** The client sees the call at once, and may run it after the approval. */
function toConfirmChunks(event: ToolEvent, context: Context): readonly Chunk[] {
  const { streamingCalls, calls } = context.before
  const { callId } = event
  const chunks = toToolChunks(event, context)
  switch (event.type) {
    case 'tool.started':
    case 'tool.delta':
      return []
    case 'tool.called':
      return toStreamedCall(callId, event.tool, event.input)
    case 'tool.asked': {
      const call = calls.get(callId)
      return event.question.kind === 'output' && call ? [toInputAvailable(callId, call), ...chunks] : chunks
    }
    case 'tool.failed': {
      const tool = streamingCalls.get(callId)
      return tool === undefined ? chunks : [...toStreamedCall(callId, tool), ...chunks]
    }
    case 'tool.answered':
    case 'tool.executing':
    case 'tool.progressed':
    case 'tool.returned':
      return chunks
  }
}

/** A call whose input is still being streamed. */
function toStreamedCall(toolCallId: string, toolName: string, input?: Json): readonly Chunk[] {
  const start: Chunk = { type: 'tool-input-start', toolCallId, toolName }
  if (input === undefined) return [start]
  return [
    start,
    { type: 'tool-input-delta', toolCallId, inputTextDelta: JSON.stringify(input, omitPrototypeKeys) },
  ]
}

function toToolChunks(event: ToolEvent, { view: { profile }, before }: Context): readonly Chunk[] {
  const { callId } = event
  const call = before.calls.get(callId)
  switch (event.type) {
    case 'tool.started':
      return [
        { type: 'tool-input-start', toolCallId: callId, toolName: event.tool, ...toProviderExecuted(event) },
      ]
    case 'tool.delta':
      return [{ type: 'tool-input-delta', toolCallId: callId, inputTextDelta: event.delta }]
    case 'tool.called':
      return [{ ...toInputAvailable(callId, event), ...toProviderExecuted(event) }]
    case 'tool.progressed':
      if (event.preliminary && event.output !== undefined && profile !== 'v5')
        return [
          { type: 'tool-output-available', toolCallId: callId, output: event.output, preliminary: true },
        ]
      return [{ type: 'data-tool-progress', data: toToolProgress(event), transient: true }]
    case 'tool.returned':
      // Every client refuses the stream if the field is missing.
      return [
        {
          type: 'tool-output-available',
          toolCallId: callId,
          output: event.output ?? null,
          ...toProviderExecuted(event),
        },
      ]
    case 'tool.asked':
      return encodeAsked(event, call, profile)
    case 'tool.answered':
      return encodeAnswered(event, call, profile)
    case 'tool.executing':
      return encodeExecuting(callId, call, profile)
    case 'tool.failed':
      return encodeFailed(event, call, profile)
  }
}

/**
 * Clients that submit automatically after tool calls would do so without end if a run ends in a step whose calls
 * are all settled. An empty step shows them that nothing is left to do.
 */
const lastStep: readonly Chunk[] = [{ type: 'start-step' }, { type: 'finish-step' }]

function toEndChunks(event: TerminalEvent, { before, view: wanted }: Context): readonly Chunk[] {
  const metadata = { ...endMetadata(event), ...(before.isWaiting && { waiting: [] }), usage: event.usage }
  const finish: Chunk = {
    type: 'finish',
    ...(wanted.profile !== 'v5' && { finishReason: uiReason(event) }),
    messageMetadata: metadata,
  }
  return [...(before.hasCalls ? lastStep : []), ...toEnding(event, metadata), finish]
}

/**
 * A client reads nothing after an error, and a step alone does not update it. So the metadata come before the
 * error.
 */
function toEnding(event: TerminalEvent, messageMetadata: MessageMetadata): readonly Chunk[] {
  switch (event.type) {
    case 'run.cancelled':
      return [{ type: 'abort' }]
    case 'run.failed':
      return [
        { type: 'message-metadata', messageMetadata },
        { type: 'error', errorText: event.failure.message },
      ]
    case 'run.finished':
      return []
  }
}

function endMetadata(event: TerminalEvent): MessageMetadata {
  switch (event.type) {
    case 'run.cancelled':
      return { stopped: true, finishReason: 'stop' }
    case 'run.failed':
      return { finishReason: 'error' }
    case 'run.finished':
      return { finishReason: event.reason === 'interrupted' ? 'other' : event.reason }
  }
}

function uiReason(event: TerminalEvent): UiFinishReason {
  switch (event.type) {
    case 'run.cancelled':
      return 'stop'
    case 'run.failed':
      return 'error'
    case 'run.finished':
      if (event.reason === 'interrupted') return 'other'
      return event.reason === 'step-limit' ? 'tool-calls' : event.reason
  }
}
