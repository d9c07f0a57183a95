import type { LogEntry } from '../packages/dragoman/src/index.ts'
import { placeOf, type EndedRun } from './run-checks.ts'
import type { ToolEffect } from './tool-effect.ts'
import { IDEMPOTENT } from './story.ts'

/** What must hold in the end, when no tool does anything any more. */

/** What the tools did: at most once for each call and each place of a story, once where the outcome says so, never where none had begun. */
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

/** When a run was at work, in ms since 1970. */
export type Span = {
  readonly thread: string
  readonly runId: string
  readonly from: number
  readonly to: number
}

/** Of one that never began there is none. */
export function spanOf(thread: string, { runId, entries }: Pick<EndedRun, 'runId' | 'entries'>): Span[] {
  const from = entries.find(({ event }) => event.type === 'step.started')?.at
  return from === undefined ? [] : [{ thread, runId, from, to: entries.at(-1)?.at ?? from }]
}

/** No two runs of a thread are at work at once. */
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
