import type { Run, ToolEvent } from '../events/index.ts'
import type { RunProgress } from './run-progress.ts'

/**
 * Whether an event belongs to a call that a person must approve before its client runs it. A client that runs
 * calls by name must not see such a call before it is asked for the output.
 */
export function isConfirmable(
  event: ToolEvent,
  { run, before }: { readonly run: Run; readonly before: RunProgress },
): boolean {
  const { callId } = event
  const tool =
    'tool' in event ? event.tool : (before.calls.get(callId)?.tool ?? before.streamingCalls.get(callId))
  return run.request.tools.some(({ name, confirm }) => confirm && name === tool)
}
