import { isJsonObject, type Json, type LogEntry, type Run } from 'dragoman/events'
import { useAi } from 'dragoman/protocols'
import { viewOf } from './names.ts'

/**
 * What a socket that only watched has not been told up to an entry: the calls that wait for a page's results. `entries` are the run's
 * structure. Nothing where a call is being written there.
 */
export function askedUpTo(
  seq: number,
  { run, entries }: { run: Run; entries: readonly LogEntry[] },
): Json[] | undefined {
  const encode = useAi.encoder({ run, view: viewOf(run, false) })
  const begun = new Set<string>()
  const inputs = new Map<string, Json>()
  const asked = new Set<string>()
  const events: Json[] = []
  for (const entry of entries) {
    if (entry.seq > seq) break
    const { event } = entry
    events.push(...encode(entry).map((frame) => JSON.parse(frame) as Json))
    if (event.type === 'tool.started') begun.add(event.callId)
    if (event.type === 'tool.called') {
      begun.delete(event.callId)
      inputs.set(event.callId, event.input)
    }
    if (event.type === 'tool.asked' && event.question.kind === 'output') asked.add(event.callId)
    if (event.type === 'tool.answered' || event.type === 'tool.failed') asked.delete(event.callId)
  }
  if (begun.size > 0) return undefined
  return [...asked].flatMap((callId) => wholeCall(callId, events, inputs.get(callId) ?? {}))
}

/** A call's events, of which what it is given may have been said piece by piece: that is no structure. */
function wholeCall(callId: string, events: readonly Json[], input: Json): Json[] {
  const own = events.flatMap((event) =>
    isJsonObject(event) && event['toolCallId'] === callId && event['type'] !== 'TOOL_CALL_ARGS'
      ? [event]
      : [],
  )
  const start = own.find(({ type }) => type === 'TOOL_CALL_START')
  const end = own.find(({ type }) => type === 'TOOL_CALL_END')
  if (!start || !end) return []
  return [start, { ...end, type: 'TOOL_CALL_ARGS', delta: JSON.stringify(input) }, end]
}
