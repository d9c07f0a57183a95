import type { Protocol } from '../protocol.ts'
import { createEncoder } from './encode.ts'
import { toWholeRun } from './to-ag-ui-messages.ts'
import { body, parse } from './parse.ts'
import { agUiView, httpProfile } from './ag-ui-view.ts'

export { replay } from './replay.ts'
export { readTextApproval } from './text-approval.ts'

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
  encoder: (start) => createEncoder(start, httpProfile(agUiView(start.view))),
  whole: (run, view, message) => toWholeRun(run, agUiView(view), message, httpProfile(agUiView(view))),
}

/**
 * As use-ai reads it over Socket.IO: a run is one stream, which waits for the results of the page's tools, and has
 * one text message. It
 * ends where the run waits for approvals: they are asked in text, and the next message answers.
 */
export const useAi: Protocol = {
  ...agUi,
  name: 'use-ai',
  endsAtWaiting: 'approvals',
  remembersAll: () => true,
  encoder: (start) => createEncoder(start, 'use-ai'),
  whole: (run, view, message) => toWholeRun(run, agUiView(view), message, 'use-ai'),
}

/** For one who only watches a run, and is not asked: it follows the run to its end. */
export const useAiWatching: Protocol = { ...useAi, endsAtWaiting: false }
