import { isJsonObject, type Json, type LogEntry, type Message, type Run } from '../events/index.ts'
import { useAi } from '../protocols/index.ts'
import { viewOf } from './socket-io-names.ts'

/** What a socket that only watched has not been told of the calls that wait for a page's results, up to an entry; nothing where one of them is being written there. */
export function askedUpTo(
  seq: number,
  { run, entries, before }: { run: Run; entries: readonly LogEntry[]; before: readonly Message[] },
): Json[] | undefined {
  const encode = useAi.encoder({ run, view: viewOf(run, false), before })
  const begun = new Set<string>()
  const asked = new Set<string>()
  const events: Json[] = []
  for (const entry of entries) {
    if (entry.seq > seq) break
    const { event } = entry
    events.push(...encode(entry).map((frame) => JSON.parse(frame) as Json))
    if (event.type === 'tool.started') begun.add(event.callId)
    if (event.type === 'tool.called') begun.delete(event.callId)
    if (event.type === 'tool.asked' && event.question.kind === 'output') asked.add(event.callId)
    if (event.type === 'tool.answered' || event.type === 'tool.failed') asked.delete(event.callId)
  }
  return begun.size > 0 ? undefined : events.filter((event) => isCallOf(event, asked))
}

function isCallOf(event: Json, calls: ReadonlySet<string>): boolean {
  if (!isJsonObject(event)) return false
  const { type, toolCallId } = event
  const [isCall, callId] = [textOf(type).startsWith('TOOL_CALL_'), textOf(toolCallId)]
  return isCall && calls.has(callId)
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : ''
}
