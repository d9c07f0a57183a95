import type { Protocol } from 'dragoman/protocols'
import { encoder } from './encode.ts'
import { bodySchema, parse } from './parse.ts'
import { envelopeView, messageIdOf, requestIdOf, withUnknownModel } from './envelope-view.ts'
import { wholeAnswer } from './whole-answer.ts'

export { messageIdOf, requestIdOf, withUnknownModel }

/** At most 25 frames a second of which each says everything. */
const PACE_MS = 40

/** The envelopes of the chat stream. Clients join increments by message id, or show each full envelope. */
export const envelope: Protocol = {
  name: 'envelope',
  headers: {},
  heartbeat: ': ping\n\n',
  framing: 'events',
  numbered: false,
  endsAtWaiting: false,
  body: bodySchema,
  parse,
  view: envelopeView,
  encoder,
  pace: (view) => (isFull(view) ? PACE_MS : 0),
  remembersAll: isFull,
  whole: wholeAnswer,
}

/** For requests of the original server's own page, which can stop an answer only by disconnecting. */
export const endsWithOriginalPage: Protocol = { ...envelope, endsWithCaller: true }

/** Whether a request is one of that page, by its view. */
export function isFromOriginalPage(view: Parameters<typeof envelopeView>[0]): boolean {
  return envelopeView(view).originalPage === true
}

function isFull(view: Parameters<typeof envelopeView>[0]): boolean {
  return envelopeView(view).responseMode === 'full'
}
