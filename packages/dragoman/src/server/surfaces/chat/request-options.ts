import type { ChatRequest, ThreadPolicy } from '../../../events/index.ts'
import type { Protocol, RunRequest } from '../../../protocols/index.ts'

/** How a chat handles a parsed request. */
export type RequestOptions = {
  /** Finds the run of a message that is sent again after a lost response. */
  readonly key?: string
  readonly policy: ThreadPolicy
  /** A message without its own policy interrupts a run without a reader: these clients stop by disconnecting. */
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
    endsUnread: PROTOCOLS_THAT_STOP_BY_DISCONNECT.has(clientProtocol(protocol)),
    ...(!isSentOnce && { key: `message:${agent}/$thread:${clientId}` }),
  }
}

/** A useChat message waits for the live run, unless it replaces an answer. */
function defaultPolicy(protocol: Protocol, { branch }: ChatRequest): ThreadPolicy {
  const name = clientProtocol(protocol)
  if (name !== 'ui-message-stream' && name !== 'data-stream') return 'reject'
  return branch === undefined ? 'enqueue' : 'interrupt'
}

function clientProtocol({ name, dialectOf }: Protocol): string {
  return dialectOf ?? name
}
