import type { AssistantMessage } from '../events/index.ts'

/**
 * Whether a run has ended in a step with calls. Clients that submit automatically after tool calls would wait or
 * submit again. So streams and messages then get one more, empty step.
 */
export function endsInCalls({ status, parts }: AssistantMessage): boolean {
  if (status === 'streaming' || status === 'waiting') return false
  return parts
    .slice(parts.findLastIndex(({ type }) => type === 'step') + 1)
    .some(({ type }) => type === 'tool')
}
