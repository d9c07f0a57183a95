import type { LogEntry } from '../packages/dragoman/src/index.ts'
import { placeOf, type EndedRun } from './run-checks.ts'
import type { ToolEffect } from './story-tools.ts'
import { IDEMPOTENT } from './story.ts'

/** Checks after the last run has ended. */

/** Effects of tools: at most one per call and place, one if the outcome says so, and none if the tool never began. */
export function effectMistakes(entries: readonly LogEntry[], effects: readonly ToolEffect[]): string[] {
  const events = entries.map(({ event }) => event)
  const began = new Set(events.flatMap((event) => (event.type === 'tool.executing' ? [event.callId] : [])))
  const returned = new Set(events.flatMap((event) => (event.type === 'tool.returned' ? [event.callId] : [])))
  const called = events.filter((event) => event.type === 'tool.called')
  return called.flatMap((call) => {
    const { callId, tool } = call
    const ofCall = effects.filter((effect) => effect.callId === callId)
    const ofPlace = effects.filter(({ place }) => place === placeOf(call))
    const faults: readonly [isSo: boolean, did: string][] = [
      [!IDEMPOTENT.has(tool) && ofPlace.length > 1, `did its work ${ofPlace.length} times`],
      [returned.has(callId) && ofCall.length === 0, 'returned, and did nothing'],
      [!began.has(callId) && ofCall.length > 0, 'did its work before it was to begin'],
      [new Set(ofCall.map(({ key }) => key)).size > 1, 'was given more than one key'],
    ]
    return faults.flatMap(([isSo, did]) => (isSo ? [`${tool} (${callId}, ${placeOf(call)}) ${did}`] : []))
  })
}

/** When a run was active, in ms since 1970. */
export type Span = {
  readonly thread: string
  readonly runId: string
  readonly from: number
  readonly to: number
}

/** Empty for a run that never began. */
export function spanOf(thread: string, { runId, entries }: Pick<EndedRun, 'runId' | 'entries'>): Span[] {
  const from = entries.find(({ event }) => event.type === 'step.started')?.at
  return from === undefined ? [] : [{ thread, runId, from, to: entries.at(-1)?.at ?? from }]
}

/** Two runs of a thread are never active at once. */
export function overlapMistakes(spans: readonly Span[]): string[] {
  return [...Map.groupBy(spans, ({ thread }) => thread).values()].flatMap((ofThread) => {
    const sorted = ofThread.toSorted((a, b) => a.from - b.from)
    return sorted.flatMap(({ thread, runId, from }, at) => {
      const before = sorted[at - 1]
      return before && before.to > from
        ? [`thread ${thread}: run ${runId} began before run ${before.runId} had ended`]
        : []
    })
  })
}
