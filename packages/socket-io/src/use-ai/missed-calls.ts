import { isJsonObject, type Json, type LogEntry, type Run } from 'dragoman/events'
import { useAi } from '@dragoman/ag-ui/protocol'
import { socketView } from './run-names.ts'

/**
 * The calls that wait for page results and that a watching socket has not received, up to an entry. `entries` are the
 * run's structure. Undefined while a call's input is being written.
 */
export function missedCalls(
  seq: number,
  { run, entries }: { run: Run; entries: readonly LogEntry[] },
): Json[] | undefined {
  const encode = useAi.encoder({ run, view: socketView(run, false) })
  const openInputs = new Set<string>()
  const inputs = new Map<string, Json>()
  const openCalls = new Set<string>()
  const events: Json[] = []
  for (const entry of entries) {
    if (entry.seq > seq) break
    const { event } = entry
    events.push(...encode(entry).map((frame) => JSON.parse(frame) as Json))
    if (event.type === 'tool.started') openInputs.add(event.callId)
    if (event.type === 'tool.called') {
      openInputs.delete(event.callId)
      inputs.set(event.callId, event.input)
    }
    if (event.type === 'tool.asked' && event.question.kind === 'output') openCalls.add(event.callId)
    if (event.type === 'tool.answered' || event.type === 'tool.failed') openCalls.delete(event.callId)
  }
  if (openInputs.size > 0) return undefined
  return [...openCalls].flatMap((callId) => completeCall(callId, events, inputs.get(callId) ?? {}))
}

/** The events of a call with its complete input: input deltas are not structure. */
function completeCall(callId: string, events: readonly Json[], input: Json): Json[] {
  const callEvents = events.flatMap((event) =>
    isJsonObject(event) && event['toolCallId'] === callId && event['type'] !== 'TOOL_CALL_ARGS'
      ? [event]
      : [],
  )
  const start = callEvents.find(({ type }) => type === 'TOOL_CALL_START')
  const end = callEvents.find(({ type }) => type === 'TOOL_CALL_END')
  if (!start || !end) return []
  return [start, { ...end, type: 'TOOL_CALL_ARGS', delta: JSON.stringify(input) }, end]
}
