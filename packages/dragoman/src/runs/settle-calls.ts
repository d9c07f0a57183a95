import { ServiceError, toFailure } from '../errors.ts'
import type { RunEvent } from '../events/index.ts'
import { appendIf } from '../log/index.ts'
import type { AbortCause } from './abort-cause.ts'
import type { RunContext } from './run-context.ts'

/** How a call fails whose user has said something else in place of an answer. */
export const superseded = toFailure(
  new ServiceError('unanswered', 'The user has said something else, and has not answered.'),
)

type Phase = {
  readonly write: (event: RunEvent) => unknown
  readonly isClosed: () => boolean
  /** Written once each call has its outcome, or before the run is suspended. */
  readonly last?: RunEvent | undefined
}

/**
 * Waits until each call has its outcome. If only questions are left, it suspends the run: it gives up the claim, and
 * aborts the attempt. If the user has sent a message meanwhile, the message settles the questions instead. False if
 * the run was suspended or aborted.
 */
export async function settleCalls(context: RunContext, phase: Phase): Promise<boolean> {
  const { run, epoch, ports, writer, tracker, external, control } = context
  const { calls } = tracker
  const isOver = (): boolean => phase.isClosed() || control.signal.aborted
  for (;;) {
    let decided: readonly RunEvent[] = []
    let isSuperseded = false
    const entries = await appendIf(ports.log, run.id, async (isRetry) => {
      if (isRetry) await external.catchUp()
      await calls.idle()
      if (isOver() || calls.asked.length === 0) return undefined
      isSuperseded = external.pendingMessages().size > 0
      const ifLast = await writer.flush()
      const { asked } = calls
      decided = isSuperseded
        ? asked.map((callId) => ({ type: 'tool.failed', callId, failure: superseded }))
        : [...(phase.last ? [phase.last] : []), { type: 'run.waiting', calls: asked }]
      return { events: decided, epoch, ifLast }
    })
    if (!entries) {
      if (isOver()) return false
      if (phase.last) phase.write(phase.last)
      return true
    }
    writer.saw(entries.at(-1)?.seq ?? 0)
    for (const event of decided) {
      if (event.type === 'tool.failed') calls.reply(event.callId, 'unanswered')
      tracker.note(event)
    }
    if (isSuperseded) continue
    control.abort({ kind: 'suspended' } satisfies AbortCause)
    return false
  }
}
