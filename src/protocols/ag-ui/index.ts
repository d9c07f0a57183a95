import type { Protocol } from '../protocol.ts'
import { encoder, whole } from './encode.ts'
import { body, parse } from './parse.ts'
import { agUiView } from './view.ts'

/** AG-UI as its HTTP clients read it: the body ends where the run waits, and the next request goes on. */
export const agUi: Protocol = {
  name: 'ag-ui',
  headers: {},
  heartbeat: ': keep-alive\n\n',
  framing: 'events',
  numbered: true,
  endsAtWaiting: true,
  needsThread: true,
  body,
  parse,
  view: agUiView,
  encoder,
  whole: (run, view) => whole(run, view),
}

/** As use-ai reads it over Socket.IO: a run is one stream, which waits for the results of the page's tools, and has one text message. */
export const useAi: Protocol = { ...agUi, name: 'use-ai', endsAtWaiting: false }
