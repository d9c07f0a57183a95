import { ServiceError } from 'dragoman/errors'
import { isJsonObject, type Json, type Run } from 'dragoman/events'

const MODES = ['incremental', 'full'] as const

/** The options of one reader. The ids are those of the client, if it gave any. */
export type EnvelopeView = {
  readonly responseMode: (typeof MODES)[number]
  readonly legacyEvents: boolean
  readonly showThinking: boolean
  /** The client is the original server's own web page, see `isOriginalPage`. */
  readonly originalPage?: true
  /** The client has named a model that is not known here. */
  readonly unknownModel?: true
  readonly sessionId?: string
  readonly messageId?: string
}

/** @throws ServiceError `invalid-request` where the query names a mode that is not known */
export function envelopeView(ofRun: Json, query: Readonly<Record<string, string>> = {}): EnvelopeView {
  const stored = isJsonObject(ofRun) ? ofRun : {}
  const queryMode = query['responseMode']
  if (queryMode !== undefined && !MODES.some((mode) => mode === queryMode))
    throw new ServiceError('invalid-request', `responseMode: must be one of ${MODES.join(', ')}.`)
  const { sessionId, messageId, originalPage, unknownModel } = stored
  return {
    responseMode: (queryMode ?? stored['responseMode']) === 'full' ? 'full' : 'incremental',
    legacyEvents: readFlag(query['legacyEvents'], stored['legacyEvents']),
    showThinking: readFlag(query['showThinking'], stored['showThinking']),
    ...(originalPage === true && { originalPage }),
    ...(unknownModel === true && { unknownModel }),
    ...(typeof sessionId === 'string' && { sessionId }),
    ...(typeof messageId === 'string' && { messageId }),
  }
}

function readFlag(fromQuery: string | undefined, stored: Json | undefined): boolean {
  return fromQuery === undefined ? stored === true : fromQuery !== 'false' && fromQuery !== '0'
}

export type Names = { readonly requestId: string; readonly sessionId: string; readonly messageId: string }

/** What the envelopes of a run call it: by its client's names, where it has any. */
export function namesOf(run: Run, { sessionId = run.threadId, messageId }: EnvelopeView): Names {
  const requestId = requestIdOf(run)
  return { requestId, sessionId, messageId: messageId ?? messageIdOf(run) }
}

/** What a run's envelopes call their message: as its client did, else by its request. */
export function messageIdOf(run: Run): string {
  return run.request.clientId ?? requestIdOf(run)
}

/** The name of a request that brought none. It ends with its run's id. */
export function requestIdOf({ createdAt, id }: Run): string {
  return `req_${createdAt}_${id}`
}

/** The view of a reader who is told that the model of the request is not known here. */
export function withUnknownModel(view: Json): EnvelopeView {
  return { ...envelopeView(view), unknownModel: true }
}
