import { INTERRUPTION, type Protocol } from 'dragoman/protocols'
import { agentEventsView } from './agent-events-view.ts'
import { encoder, wholeAnswer } from './encode.ts'
import { bodySchema, parse } from './parse.ts'

/** The plain events that `/api/agent-chat` documents. */
export const agentEvents: Protocol = {
  name: 'agent-events',
  headers: {},
  heartbeat: ': ping\n\n',
  framing: 'events',
  numbered: false,
  // The format has no frame for a waiting run, and its end comes once.
  endsAtWaiting: false,
  endsWithCaller: true,
  body: bodySchema,
  parse,
  view: agentEventsView,
  encoder,
  interruption: () =>
    JSON.stringify({ type: 'error', error: INTERRUPTION, message: INTERRUPTION, code: 'interrupted' }),
  remembersAll: () => true,
  whole: wholeAnswer,
}
