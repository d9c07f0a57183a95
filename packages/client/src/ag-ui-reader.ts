import type { AgUiEvent } from 'dragoman/protocols/ag-ui/wire'
import { eventStreamReader } from './event-stream-reader.ts'
import type { StreamReader } from './resume-stream.ts'

const LAST_EVENTS: ReadonlySet<string> = new Set<AgUiEvent['type']>(['RUN_FINISHED', 'RUN_ERROR'])

/** Reads AG-UI. The body ends with the client's run. */
export function agUiReader(after: string | undefined): StreamReader<string> {
  return eventStreamReader('ag-ui', after, (data) => data !== '' && LAST_EVENTS.has(typeOf(data)))
}

function typeOf(data: string): string {
  return (JSON.parse(data) as AgUiEvent).type
}
