import { INTERRUPTION, type Protocol } from 'dragoman/protocols'
import { encoder, whole } from './encode.ts'
import { body, parse } from './parse.ts'

export { translateRefusal, addVibeLifeFields } from './request-fields.ts'

/** The frames that the VibeLife chat documents, and nothing else: each an event named `message`. */
export const vibelife: Protocol = {
  name: 'vibelife',
  headers: {},
  heartbeat: ': ping\n\n',
  framing: 'events',
  eventName: 'message',
  numbered: false,
  endsAtWaiting: true,
  body,
  parse,
  view: () => ({}),
  encoder,
  interruption: () => JSON.stringify({ type: 'error', error: INTERRUPTION, code: 'interrupted' }),
  whole: (run, _view, message) => whole(run, message),
}
