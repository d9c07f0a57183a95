import { isJsonObject, type Run } from 'dragoman/events'
import { INTERRUPTION, type Protocol } from 'dragoman/protocols'
import { createEncoder } from './encode.ts'
import { toWholeRun } from './to-ag-ui-messages.ts'
import { body, parse } from './parse.ts'
import { parseAgUiViewOptions, httpProfile } from './ag-ui-view-options.ts'

export { replyView } from './client-ids.ts'
export { isInterrupt, snapshotBefore } from './interrupt-snapshot.ts'
export { replayHistory as replay } from './replay-history.ts'
export { toPageState } from './to-page-state.ts'
export { askInText, canAskInText, readTextApproval } from './text-approval.ts'

/** AG-UI for HTTP clients: the body ends when the run waits, and the next request continues the run. */
export const agUiProtocol: Protocol = {
  name: 'ag-ui',
  headers: {},
  heartbeat: ': keep-alive\n\n',
  framing: 'events',
  numbered: true,
  endsAtWaiting: true,
  needsThread: true,
  recognizes: (raw) => isJsonObject(raw) && 'threadId' in raw && 'runId' in raw,
  stopsOnDisconnect: true,
  body,
  parse,
  view: parseAgUiViewOptions,
  encoder: (start) => createEncoder(start, httpProfile(parseAgUiViewOptions(start.view))),
  interruption: () => JSON.stringify({ type: 'RUN_ERROR', message: INTERRUPTION, code: 'INTERRUPTED' }),
  whole: (run, view, message) =>
    toWholeRun(run, parseAgUiViewOptions(view), message, httpProfile(parseAgUiViewOptions(view))),
}

/**
 * AG-UI for use-ai over Socket.IO: a run is one stream with one text message, which waits for the results of
 * client tools. It ends when the run waits for approvals: the text asks for them, and the next message answers.
 */
export const useAi: Protocol = {
  ...agUiProtocol,
  name: 'use-ai',
  // A body without a name is one of HTTP clients.
  recognizes: () => false,
  endsAtWaiting: 'approvals',
  remembersAll: () => true,
  encoder: (start) => createEncoder(start, 'use-ai'),
  whole: (run, view, message) => toWholeRun(run, parseAgUiViewOptions(view), message, 'use-ai'),
}

/** For a reader that only watches: it is never asked, and follows the run to its end. */
export const useAiWatching: Protocol = { ...useAi, endsAtWaiting: false }

/** Whether a client of use-ai started the run. */
export function isOfUseAi({ reply }: Run): boolean {
  return reply.protocol === useAi.name
}
