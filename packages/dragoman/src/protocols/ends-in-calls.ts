import type { AssistantMessage } from '../events/index.ts'

/**
 * Whether a run has ended in a step with calls. Clients that send by themselves once all calls of the last step are settled would take it
 * for one that waits for them: the streams have one more step then, and so have the messages.
 */
export function endsInCalls({ status, parts }: AssistantMessage): boolean {
  if (status === 'streaming' || status === 'waiting') return false
  return parts
    .slice(parts.findLastIndex(({ type }) => type === 'step') + 1)
    .some(({ type }) => type === 'tool')
}
