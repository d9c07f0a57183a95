import type { ChatRequest, ThreadPolicy } from '../../../events/index.ts'
import type { Protocol, RunRequest } from '../../../protocols/index.ts'

/** How a chat of one agent takes a request that its protocol has read. */
export type RequestOptions = {
  /** What finds the run of a message that is sent again, by a client that did not hear the answer. */
  readonly key?: string
  readonly policy: ThreadPolicy
  /** A message without a policy of its own ends an answer that nobody reads: these clients stop by hanging up. */
  readonly endsUnread?: boolean
}

const PROTOCOLS_THAT_STOP_BY_DISCONNECT: ReadonlySet<string> = new Set([
  'ui-message-stream',
  'data-stream',
  'ag-ui',
])

export function requestOptions(request: RunRequest, protocol: Protocol, agent: string): RequestOptions {
  if ('answers' in request) return { policy: 'reject' }
  const { clientId } = request.message
  const isSentOnce = clientId === undefined || request.branch !== undefined
  return {
    policy: defaultPolicy(protocol, request),
    endsUnread: PROTOCOLS_THAT_STOP_BY_DISCONNECT.has(protocol.name),
    ...(!isSentOnce && { key: `message:${agent}/$thread:${clientId}` }),
  }
}

/** A message of useChat's waits for the answer that goes on, unless it takes the place of one. */
function defaultPolicy({ name }: Protocol, { branch }: ChatRequest): ThreadPolicy {
  if (name !== 'ui-message-stream' && name !== 'data-stream') return 'reject'
  return branch === undefined ? 'enqueue' : 'interrupt'
}
