import { enforceEvents, runHttpRequest, transformChunks, verifyEvents } from '@ag-ui/client'
import { EventSchemas } from '@ag-ui/core/schemas'
import * as older from 'ag-ui-client-0-0-59'
import { EventSchemas as OlderSchemas } from 'ag-ui-core-0-0-59'
import { z } from 'zod'

import type { FrameValidator } from '../../../dragoman/src/protocols/frame-validators.fixture.ts'

const word = z.looseObject({
  type: z.string(),
  timestamp: z.int(),
  messageId: z.string().optional(),
  toolCallId: z.string().optional(),
  runId: z.string().optional(),
  delta: z.unknown().optional(),
})
type WireEvent = z.infer<typeof word>

const none = async (): Promise<Response> => new Response()

/** The clients of 1.0 take it without a warning: no field, no event that they do not know. */
export const validateAgUi1: FrameValidator = (frames, whole) => {
  const wireEvents = wordsOf(frames)
  failOnWarning(() => {
    for (const each of wireEvents) EventSchemas.parse(each)
    const events = eventsOf<Events>(runHttpRequest(none), wireEvents)
    read(verifyEvents(false)(transformChunks(false)(enforceEvents()(events))))
  })
  validateRuns(wireEvents, whole)
}

/** The clients of 0.0.59, which refuse more than they warn of. */
export const validateAgUi0: FrameValidator = (frames, whole) => {
  const wireEvents = wordsOf(frames)
  failOnWarning(() => {
    for (const each of wireEvents) OlderSchemas.parse(each)
    const events = eventsOf<OlderEvents>(older.runHttpRequest(none), wireEvents)
    read(older.verifyEvents(false)(older.transformChunks(false)(events)))
  })
  validateRuns(wireEvents, whole)
}

/**
 * Checks the rules of use-ai's client: one text message for each run, which ends right before the run; a call's
 * input before its end; and nothing that an older client would refuse.
 */
export const validateUseAi: FrameValidator = (frames, whole) => {
  const wireEvents = wordsOf(frames)
  validateAgUi0(
    withAllEnds(wireEvents).map((each) => JSON.stringify(each)),
    whole,
  )
  const types = wireEvents.map(({ type }) => type)
  const begins = types.flatMap((type, index) => (type === 'RUN_STARTED' ? [index] : []))
  if (begins.length === 0) throw new Error('no run has begun')
  for (const [place, begin] of begins.entries()) validateText(types.slice(begin, begins[place + 1]), whole)
  for (const [index, { type, toolCallId }] of wireEvents.entries()) {
    // A call that was cut off has its result at once, so the page does not run it.
    const isCut = wireEvents[index + 1]?.type === 'TOOL_CALL_RESULT'
    const hasInput = wireEvents.some(
      (each) => each.type === 'TOOL_CALL_ARGS' && each.toolCallId === toolCallId,
    )
    if (type === 'TOOL_CALL_END' && !hasInput && !isCut) throw new Error(`${toolCallId} has no input`)
  }
}

/** Of one run of the client's. */
function validateText(types: readonly string[], whole: boolean): void {
  const texts = count(types, 'TEXT_MESSAGE_START')
  const ended = types.indexOf('TEXT_MESSAGE_END')
  if (texts > 1 || (ended >= 0 && ended !== types.length - 2))
    throw new Error('there is one text, and it ends last')
  if (whole && texts !== count(types, 'TEXT_MESSAGE_END')) throw new Error('the text is left open')
}

/** A client tool's call that is settled before the client is asked has no end, because the page would run it. */
function withAllEnds(wireEvents: readonly WireEvent[]): WireEvent[] {
  const ended = new Set(
    wireEvents.flatMap(({ type, toolCallId }) => (type === 'TOOL_CALL_END' ? [toolCallId] : [])),
  )
  return wireEvents.flatMap((each) => {
    const { type, toolCallId, timestamp } = each
    if (type !== 'TOOL_CALL_RESULT' || ended.has(toolCallId)) return [each]
    return [{ type: 'TOOL_CALL_END', toolCallId, timestamp }, each]
  })
}

function wordsOf(frames: readonly string[]): WireEvent[] {
  return frames.map((frame) => word.parse(JSON.parse(frame)))
}

/**
 * Each has its own name from its start to its one end; no delta is empty; a result follows its call's end, and
 * comes once.
 */
function validateRuns(wireEvents: readonly WireEvent[], whole: boolean): void {
  let open: string | undefined
  const [ended, settled] = [new Set<string>(), new Set<string>()]
  for (const { type, runId, toolCallId = '', delta } of wireEvents) {
    if (type === 'RUN_STARTED') open = runId
    else if (open === undefined) throw new Error(`${type} stands in no run`)
    if (delta === '') throw new Error(`${type} says nothing`)
    if (type === 'TOOL_CALL_END') ended.add(toolCallId)
    if (type === 'TOOL_CALL_RESULT' && (!ended.has(toolCallId) || settled.has(toolCallId)))
      throw new Error(`${toolCallId} has not ended, or has ended twice`)
    if (type === 'TOOL_CALL_RESULT') settled.add(toolCallId)
    if (type === 'RUN_FINISHED' && runId !== open) throw new Error(`${open} ends as ${runId}`)
    if (type === 'RUN_FINISHED' || type === 'RUN_ERROR') open = undefined
  }
  if (whole && open !== undefined) throw new Error('the last run is left open')
}

function count(types: readonly string[], eventType: string): number {
  return types.filter((type) => type === eventType).length
}

type Events = Parameters<ReturnType<typeof verifyEvents>>[0]
type OlderEvents = Parameters<ReturnType<typeof older.verifyEvents>>[0]

/** Builds the input of the clients' own pipeline stages, as the clients build it. */
function eventsOf<E>(of: object, wireEvents: readonly WireEvent[]): E {
  const tell = (reader: { next(word: WireEvent): void; complete(): void }): void => {
    for (const each of wireEvents) reader.next(each)
    reader.complete()
  }
  return Reflect.construct(of.constructor as new () => object, [tell]) as E
}

function read(events: { subscribe(reader: { error(error: unknown): void }): unknown }): void {
  let failed: unknown
  events.subscribe({
    error: (error) => {
      failed = error
    },
  })
  if (failed !== undefined) throw failed
}

/** @throws Error for a warning of the client */
function failOnWarning(act: () => void): void {
  const { warn, error } = console
  const warnings: unknown[] = []
  const note = (...wireEvents: unknown[]): void => void warnings.push(...wireEvents)
  Object.assign(console, { warn: note, error: note })
  try {
    act()
  } finally {
    Object.assign(console, { warn, error })
  }
  if (warnings.length > 0) throw new Error(`the client warns: ${warnings.join(' ')}`)
}
