import type {
  AssistantMessage,
  AssistantPart,
  Json,
  Run,
  RunEvent,
  TerminalEvent,
  ToolEvent,
  ToolPart,
} from '../../events/index.ts'
import { isJsonObject, isTerminal } from '../../events/index.ts'
import type { Encoder, Frame } from '../protocol.ts'
import { thinkingView, type ThinkingView } from '../thinking.ts'
import { toOutput, toProgress } from '../tool-output.ts'
import { uiView, type UiView } from './view.ts'
import { DONE, type Chunk, type MessageMetadata, type UiFinishReason } from './wire.ts'

/** Writes a run's log as the AI SDK's UI message stream. Each event stands for itself: there is nothing to remember. */
export function encoder({ run, view }: { run: Run; view: Json }): Encoder {
  const wanted = uiView(view)
  return ({ event }): Frame[] => {
    const frames = toChunks(event, run, wanted).map(toFrame)
    return isTerminal(event) ? [...frames, DONE] : frames
  }
}

/** A key that might change a prototype. The clients refuse a chunk that has one, and with it the stream: it is left out. */
const SUSPECT = /"(?:__proto__|constructor)":/

function toFrame(chunk: Chunk): Frame {
  const text = JSON.stringify(chunk)
  return SUSPECT.test(text) ? JSON.stringify(chunk, harmless) : text
}

function harmless(key: string, value: Json): Json | undefined {
  if (key === '__proto__') return undefined
  if (key !== 'constructor') return value
  return value === null || (isJsonObject(value) && Object.hasOwn(value, 'prototype')) ? undefined : value
}

function toChunks(event: RunEvent, run: Run, { showThinking, client }: UiView): readonly Chunk[] {
  switch (event.type) {
    case 'run.started':
      return [
        {
          type: 'start',
          messageId: run.messageId,
          messageMetadata: { runId: run.id, conversationId: run.threadId },
        },
      ]
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
      return showThinking ? [{ type: 'reasoning-start', id: event.partId }] : []
    case 'reasoning.delta':
      return showThinking ? [{ type: 'reasoning-delta', id: event.partId, delta: event.delta }] : []
    case 'reasoning.ended':
      return showThinking ? [{ type: 'reasoning-end', id: event.partId }] : []
    case 'tool.started':
    case 'tool.delta':
    case 'tool.called':
    case 'tool.asked':
    case 'tool.answered':
    case 'tool.executing':
    case 'tool.progressed':
    case 'tool.returned':
    case 'tool.failed':
      return toToolChunks(event)
    case 'data':
      return [
        {
          type: `data-${event.name}`,
          ...(event.id !== undefined && { id: event.id }),
          data: event.value,
          ...(event.transient && { transient: true }),
        },
      ]
    case 'run.cancelled':
    case 'run.failed':
    case 'run.finished':
      return toEndChunks(event, client !== undefined)
    // A body ends where its run waits; the others have no word here.
    case 'run.waiting':
    case 'run.resumed':
    case 'run.stop-requested':
    case 'user.joined':
      return []
  }
}

function toToolChunks(event: ToolEvent): readonly Chunk[] {
  switch (event.type) {
    case 'tool.started':
      return [{ type: 'tool-input-start', toolCallId: event.callId, toolName: event.tool }]
    case 'tool.delta':
      return [{ type: 'tool-input-delta', toolCallId: event.callId, inputTextDelta: event.delta }]
    case 'tool.called':
      return [
        { type: 'tool-input-available', toolCallId: event.callId, toolName: event.tool, input: event.input },
      ]
    case 'tool.progressed':
      // `preliminary` outputs are refused by the oldest clients: progress is a transient datum.
      return [{ type: 'data-tool-progress', data: toProgress(event), transient: true }]
    case 'tool.returned':
      return [
        {
          type: 'tool-output-available',
          toolCallId: event.callId,
          output: toOutput(event.output, event.text),
        },
      ]
    case 'tool.failed':
      return [{ type: 'tool-output-error', toolCallId: event.callId, errorText: event.failure.message }]
    // Questions of the portable profile go as parts of their calls.
    case 'tool.asked':
    case 'tool.answered':
    case 'tool.executing':
      return []
  }
}

/** `told`: whether the client has a field for the reason. */
function toEndChunks(event: TerminalEvent, told: boolean): readonly Chunk[] {
  const { usage } = event
  const finish = (finishReason: UiFinishReason, more: MessageMetadata): Chunk => ({
    type: 'finish',
    ...(told && { finishReason }),
    messageMetadata: { ...more, usage },
  })
  switch (event.type) {
    case 'run.cancelled':
      return [{ type: 'abort' }, finish('stop', { stopped: true, finishReason: 'stop' })]
    case 'run.failed':
      return [{ type: 'error', errorText: event.failure.message }, finish('error', { finishReason: 'error' })]
    case 'run.finished': {
      const reason = event.reason === 'interrupted' ? 'other' : event.reason
      return [finish(reason === 'step-limit' ? 'tool-calls' : reason, { finishReason: reason })]
    }
  }
}

/** The message as `useChat` keeps it: for `stream: false` and for histories. */
export function toUiMessage(
  message: AssistantMessage,
  metadata: { readonly [key: string]: Json },
  view: Json,
): Json {
  const shown = thinkingView(view)
  return {
    id: message.id,
    role: 'assistant',
    metadata: {
      ...metadata,
      ...(message.usage && { usage: message.usage }),
      ...(message.status === 'cancelled' && { stopped: true }),
      ...(message.failure && { error: message.failure.message }),
    },
    parts: message.parts.flatMap((part) => toUiPart(part, shown)),
  }
}

function toUiPart(part: AssistantPart, { showThinking }: ThinkingView): Json[] {
  switch (part.type) {
    case 'step':
      return [{ type: 'step-start' }]
    case 'reasoning':
    case 'text':
      if (part.type === 'reasoning' && !showThinking) return []
      return [{ type: part.type, text: part.text, state: part.open ? 'streaming' : 'done' }]
    case 'tool':
      return [{ type: `tool-${part.tool}`, toolCallId: part.callId, ...toolState(part) }]
    case 'data':
      return [{ type: `data-${part.name}`, ...(part.id !== undefined && { id: part.id }), data: part.value }]
    case 'user':
      return []
  }
}

function toolState(part: ToolPart): { readonly [key: string]: Json } {
  const { input = {} } = part
  switch (part.state) {
    case 'input':
      return { state: 'input-streaming', input }
    case 'returned':
      return { state: 'output-available', input, output: toOutput(part.output ?? null, part.text ?? '') }
    case 'failed':
      return { state: 'output-error', input, errorText: part.failure?.message ?? 'It failed.' }
    case 'called':
    case 'asked':
    case 'answered':
    case 'executing':
      return { state: 'input-available', input }
  }
}
