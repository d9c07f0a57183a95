import { isJsonObject, type ChatRequest, type Json, type ThreadPolicy } from '../events/index.ts'
import type { Protocol, RunRequest } from '../protocols/index.ts'

/** How a chat of one agent takes a request that its protocol has read. */
export type HowAsked = {
  /** What finds the run of a message that is sent again, by a client that did not hear the answer. */
  readonly key?: string
  /** The conversation remembers which posting and resume it is about. */
  readonly metadata?: { readonly [key: string]: Json }
  readonly policy: ThreadPolicy
}

export function howOf(request: RunRequest, protocol: Protocol, agent: string): HowAsked {
  if ('answers' in request) return { policy: 'reject' }
  const { clientId } = request.message
  const isSentOnce = clientId === undefined || request.branch !== undefined
  return {
    policy: usualPolicy(protocol, request),
    metadata: metadataOf(request.context),
    ...(!isSentOnce && { key: `message:${agent}/$thread:${clientId}` }),
  }
}

/** A message of useChat's waits for the answer that goes on, unless it takes the place of one. */
function usualPolicy({ name }: Protocol, { branch }: ChatRequest): ThreadPolicy {
  if (name !== 'ui-message-stream' && name !== 'data-stream') return 'reject'
  return branch === undefined ? 'enqueue' : 'interrupt'
}

function metadataOf(context: Json): { [key: string]: Json } {
  if (!isJsonObject(context)) return {}
  const { jobId, resumeId } = context
  return {
    ...(typeof jobId === 'number' && { contextJobId: jobId }),
    ...(typeof resumeId === 'number' && { contextResumeId: resumeId }),
  }
}
