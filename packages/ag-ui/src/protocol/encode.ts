import { isJsonObject, isStructural, type Json, type LogEntry, type RunEvent } from 'dragoman/events'
import { type EncoderStart, type Encoder, advanceProgress } from 'dragoman/protocols'
import { encodeToolCall } from './tool-call-events.ts'
import { endsClientRun, encodeRunEnd } from './run-end-events.ts'
import { addStepUsage, toTokenUsage } from './token-usage.ts'
import { createEncoderContext, changeState, type EncoderContext } from './encoder-memory.ts'
import { encodeRunStart } from './run-start-events.ts'
import { encodeStepStarted, encodeUserMessage, encodeText, stepFields } from './text-events.ts'
import type { Profile } from './ag-ui-view-options.ts'
import type { AgUiEvent, AgUiEventBody } from './wire.ts'

/**
 * Writes a run's log as AG-UI events. The client's run ends when our run waits. The next output then starts
 * another run of the client.
 */
export function createEncoder(start: EncoderStart, profile: Profile): Encoder {
  const context = createEncoderContext(start, profile)
  return (entry) =>
    encodeEntry(entry, context).map((body) =>
      JSON.stringify({ ...body, timestamp: entry.at } satisfies AgUiEvent),
    )
}

function encodeEntry(entry: LogEntry, context: EncoderContext): AgUiEventBody[] {
  const { memory } = context
  const { event } = entry
  const stateBefore = memory.state
  const events = encodeEvent(entry, context)
  memory.progress = advanceProgress(memory.progress, event)
  if (isStructural(event)) memory.structuralCount += 1
  const isEnd = endsClientRun(entry, context)
  // A tool's progress may follow, which a resuming encoder does not get: it must not be what starts a run.
  const starts = event.type === 'run.started' || event.type === 'tool.executing'
  const hasOutput = starts || events.length > 0 || isEnd
  const startEvents =
    hasOutput && memory.runId === undefined ? encodeRunStart(entry, stateBefore, context) : []
  const allEvents = [...startEvents, ...events, ...(isEnd ? encodeRunEnd(entry, context) : [])]
  if (isEnd) memory.runId = undefined
  return allEvents
}

function encodeEvent(entry: LogEntry, context: EncoderContext): AgUiEventBody[] {
  const { event } = entry
  switch (event.type) {
    case 'step.started':
      // Pages of use-ai know no models.
      if (context.profile !== 'use-ai') context.memory.model = event.model
      return encodeStepStarted(context)
    case 'step.finished':
      return [encodeStepFinished(event, context)]
    case 'text.started':
    case 'text.delta':
    case 'text.ended':
    case 'reasoning.started':
    case 'reasoning.delta':
    case 'reasoning.ended':
      return encodeText(entry, event, context)
    case 'tool.started':
    case 'tool.delta':
    case 'tool.called':
    case 'tool.asked':
    case 'tool.answered':
    case 'tool.executing':
    case 'tool.progressed':
    case 'tool.returned':
    case 'tool.failed':
      return encodeToolCall(entry, event, context)
    case 'data': {
      const { name, id, value } = event
      return [{ type: 'CUSTOM', name, value, ...(id !== undefined && { metadata: { id } }) }]
    }
    case 'source': {
      const { type, provider: _, ...value } = event
      return [{ type: 'CUSTOM', name: type, value }]
    }
    case 'file': {
      const { type, url, mediaType, kind, filename } = event
      const value = { url, mediaType, ...(filename !== undefined && { filename }) }
      return kind === 'output' ? [{ type: 'CUSTOM', name: type, value }] : []
    }
    case 'custom':
      return [{ type: 'CUSTOM', name: event.kind, value: customValue(event.provider) }]
    case 'state.changed':
      return encodeState(event, context)
    case 'user.joined':
      return encodeUserMessage(event, context)
    // How the client's run begins and ends comes before and after all else of an entry.
    case 'run.started':
    case 'run.waiting':
    case 'run.finished':
    case 'run.failed':
    case 'run.cancelled':
    case 'run.resumed':
    case 'run.stop-requested':
      return []
  }
}

function customValue(provider: Json | undefined): Json {
  return (isJsonObject(provider) ? provider['metadata'] : undefined) ?? null
}

type Of<T extends RunEvent['type']> = Extract<RunEvent, { type: T }>

/** Those of 1.0 take further fields as metadata alone. */
function encodeStepFinished(
  { reason, usage }: Of<'step.finished'>,
  { memory, profile }: EncoderContext,
): AgUiEventBody {
  const base = { type: 'STEP_FINISHED', ...stepFields(memory.steps - 1, profile) } as const
  addStepUsage(memory, usage)
  const stepData = { usage: toTokenUsage(usage, memory.model), finishReason: reason }
  return profile === 'agui-1.0' ? { ...base, metadata: stepData } : { ...base, ...stepData }
}

/** A change that a client makes while its run waits is part of the snapshot with which the next part starts. */
function encodeState({ patch, by }: Of<'state.changed'>, { memory }: EncoderContext): AgUiEventBody[] {
  const isBetween = by !== undefined && memory.runId === undefined
  if (!changeState(memory, patch) || isBetween) return []
  return patch.some(({ path }) => path === '')
    ? [{ type: 'STATE_SNAPSHOT', snapshot: memory.state }]
    : [{ type: 'STATE_DELTA', delta: patch }]
}
