import type { Json, LogEntry, Run } from '../../events/index.ts'
import type { Begun, Encoder } from '../protocol.ts'
import { agUiView, type AgUiView } from './view.ts'
import type { AgUiEvent } from './wire.ts'

/** Writes a run's log as AG-UI events. */
export function encoder({ run, view }: Begun): Encoder {
  const wanted = agUiView(view)
  return (entry) => toEvents(entry, run, wanted).map((event) => JSON.stringify(event))
}

function toEvents({ at: timestamp, event }: LogEntry, run: Run, view: AgUiView): AgUiEvent[] {
  const names = { threadId: view.threadId ?? run.threadId, runId: view.runId ?? run.id }
  switch (event.type) {
    case 'run.started':
      return [{ type: 'RUN_STARTED', ...names, timestamp }]
    case 'text.started':
      return [{ type: 'TEXT_MESSAGE_START', messageId: event.partId, role: 'assistant', timestamp }]
    case 'text.delta':
      return [{ type: 'TEXT_MESSAGE_CONTENT', messageId: event.partId, delta: event.delta, timestamp }]
    case 'text.ended':
      return [{ type: 'TEXT_MESSAGE_END', messageId: event.partId, timestamp }]
    case 'run.finished':
      return [{ type: 'RUN_FINISHED', ...names, timestamp }]
    case 'run.cancelled':
      return [{ type: 'RUN_ERROR', message: 'Run aborted by user', code: 'abort', timestamp }]
    case 'run.failed':
      return [{ type: 'RUN_ERROR', message: event.failure.message, code: event.failure.code, timestamp }]
    default:
      return []
  }
}

export function whole(run: Run, _view: Json): Json {
  return { runId: run.id }
}
