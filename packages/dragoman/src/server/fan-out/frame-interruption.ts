import type { Json } from '../../events/index.ts'
import type { Protocol } from '../../protocols/index.ts'

/** A client that resumes by itself knows the cut by this line, and passes the event over. */
const CUT = ': interrupted'
/** How long an EventSource waits before it connects again, in ms. */
const RETRY_MS = 1000

/**
 * What is sent where a body stops before its answer has ended. `isClear`: no client takes it for the end of an answer,
 * so the body may end in order. Otherwise it must be broken off.
 */
export type Interruption = { readonly text: string; readonly isClear: boolean }

/** It has no cursor, so a client resumes where it was. */
export function frameInterruption(protocol: Protocol, view: Json): Interruption {
  const frame = protocol.interruption?.(view)
  const isClear = frame !== undefined
  if (protocol.framing === 'lines') return { text: isClear ? `${frame}\n` : '', isClear }
  const name = protocol.eventName === undefined ? '' : `event: ${protocol.eventName}\n`
  const event = isClear ? `${name}data: ${frame}\n` : ''
  return { text: `${CUT}\nretry: ${RETRY_MS}\n${event}\n`, isClear }
}
