import type { Run, ToolEvent } from '../events/index.ts'
import type { SoFar } from './so-far.ts'

/**
 * Whether an event is of a call that a person must allow before its client runs it. A client that runs what it is told of by name must not be
 * told of such a call before it is asked for its output.
 */
export function isWithheld(
  event: ToolEvent,
  { run, before }: { readonly run: Run; readonly before: SoFar },
): boolean {
  const { callId } = event
  const tool = 'tool' in event ? event.tool : (before.calls.get(callId)?.tool ?? before.typing.get(callId))
  return run.request.tools.some(({ name, confirm }) => confirm && name === tool)
}
