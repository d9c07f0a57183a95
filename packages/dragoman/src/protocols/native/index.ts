import type {
  AssistantMessage,
  AssistantPart,
  Json,
  LogEntry,
  RunEvent,
  RunSummary,
} from '../../events/index.ts'
import type { Protocol } from '../protocol.ts'
import { body, parse } from './parse.ts'
import type { PublicRun } from './public-schemas.ts'

export { messageSchema, runSchema } from './public-schemas.ts'

/** The native protocol: the log's entries as they are, without provider data and user ids. */
export const native: Protocol = {
  name: 'native',
  headers: {},
  heartbeat: ': ping\n\n',
  framing: 'events',
  numbered: true,
  endsAtWaiting: false,
  readsPlainTexts: () => true,
  body,
  parse,
  view: () => ({}),
  encoder: () => (entry) => [JSON.stringify(toPublicEntry(entry))],
  whole: (run, _view, message) => ({ run: toPublicRun(run), message: toPublicMessage(message) }),
}

function toPublicEntry({ seq, at, event }: LogEntry): Json {
  return { seq, at, ...withoutSecrets(event) }
}

function withoutSecrets(event: RunEvent): RunEvent {
  switch (event.type) {
    case 'text.ended':
    case 'reasoning.ended':
    case 'tool.called':
    case 'tool.returned':
    case 'tool.failed':
    case 'source':
    case 'file':
    case 'custom': {
      const { provider: _, ...rest } = event
      return rest
    }
    case 'run.stop-requested':
    case 'run.cancelled':
      return { ...event, by: 'user' }
    case 'tool.answered':
      return { ...event, by: 'user' }
    case 'tool.asked': {
      const { basis: _, ...question } = event.question
      return { ...event, question }
    }
    case 'state.changed':
      return event.by === undefined ? event : { ...event, by: 'user' }
    default:
      return event
  }
}

/** A run as its user may see it. */
export function toPublicRun(run: RunSummary): PublicRun {
  const { id, threadId, agent, messageId, status, lastSeq, pruned } = run
  const createdAt = new Date(run.createdAt).toISOString()
  return { id, threadId, agent, messageId, status, lastSeq, createdAt, pruned }
}

export function toPublicMessage(message: AssistantMessage): AssistantMessage {
  const parts = message.parts.map((each): AssistantPart => {
    if (!('provider' in each)) return each
    const { provider: _, ...rest } = each
    return rest
  })
  return { ...message, parts }
}
