import type { ThreadPolicy } from '../../../events/index.ts'
import type { Protocol, RunRequest } from '../../../protocols/index.ts'

/** How a chat handles a parsed request. */
export type RequestOptions = {
  /** Finds the run of a message that is sent again after a lost response. */
  readonly key?: string
  readonly policy: ThreadPolicy
  /** A message without its own policy interrupts a run without a reader: these clients stop by disconnecting. */
  readonly endsUnread?: boolean
}

export function requestOptions(request: RunRequest, protocol: Protocol, agent: string): RequestOptions {
  if ('answers' in request) return { policy: 'reject' }
  const { clientId } = request.message
  const isSentOnce = clientId === undefined || request.branch !== undefined
  return {
    policy: protocol.policy?.(request) ?? 'reject',
    endsUnread: protocol.stopsOnDisconnect === true,
    ...(!isSentOnce && { key: `message:${agent}/$thread:${clientId}` }),
  }
}
