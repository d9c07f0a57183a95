import type { ChatRequest, ThreadPolicy } from '../events/index.ts'

/** A message of `useChat` waits for the live run, unless it replaces an answer. */
export function chatPolicy({ branch }: ChatRequest): ThreadPolicy {
  return branch === undefined ? 'enqueue' : 'interrupt'
}
