import type { CallHooks, EngineCall, ToolOutcome } from '../agents/index.ts'
import { raceAbort } from '../async/index.ts'
import type { Outcome } from './run-tool.ts'
import { failed, failedTool, type Failed } from './tool-failure.ts'

/** How long an outcome waits for its hook after the run was aborted, in ms. */
const HOOK_GRACE_MS = 50

/** The engine's hooks on one call. */
export interface BoundHooks {
  /** Asks whether the call may run. Gives `stopped` if the run or its engine ends first. */
  before(): Promise<Failed | 'stopped' | undefined>
  /** Gives the outcome to record: what the hooks make of it. */
  after(outcome: Outcome): Promise<Outcome>
}

type Binding = {
  /** The run's. */
  readonly signal: AbortSignal
  /** Aborts once the engine is gone: its hooks are not waited for then. */
  readonly engineGone: AbortSignal
  /** Receives what a hook throws. */
  readonly report: (error: unknown) => void
}

const LATE = Symbol('late')

export function bindHooks(
  call: EngineCall,
  hooks: CallHooks | undefined,
  { signal, engineGone, report }: Binding,
): BoundHooks | undefined {
  if (!hooks) return undefined
  const { tool } = call
  const wait = <T>(work: Promise<T>, graceMs: number): Promise<T | typeof LATE> =>
    raceAbort(work, AbortSignal.any([signal, engineGone]), () => LATE, graceMs)
  const failure = (error: unknown): Failed => {
    report(error)
    return failedTool(tool, error)
  }
  return {
    async before() {
      try {
        const reason = await wait(hooks.before(call, signal), 0)
        if (reason === LATE) return 'stopped'
        return reason === undefined ? undefined : failed('denied', readable(tool, reason))
      } catch (error) {
        return failure(error)
      }
    },
    async after(outcome) {
      try {
        const changed = await wait(hooks.after(call, asToolOutcome(outcome), signal), HOOK_GRACE_MS)
        if (changed === LATE) return 'failure' in outcome ? outcome : unchecked(tool)
        return changed ? asOutcome(tool, outcome, changed) : outcome
      } catch (error) {
        return failure(error)
      }
    },
  }
}

function asToolOutcome(outcome: Outcome): ToolOutcome {
  return 'failure' in outcome
    ? { ok: false, output: null, text: outcome.failure.message }
    : { ok: true, output: outcome.output ?? null, text: outcome.text }
}

/** A failure keeps its code. What a hook has changed has no data: it may say what the hook hides. */
function asOutcome(tool: string, before: Outcome, { ok, output, text }: ToolOutcome): Outcome {
  if (ok) return { output, text }
  const message = readable(tool, text)
  return 'failure' in before ? { failure: { ...before.failure, message } } : failed('tool-failed', message)
}

/** A hook's words without keys and paths. */
function readable(tool: string, text: string): string {
  return failedTool(tool, text).failure.message
}

/** What a hook might have hidden must not be recorded. */
function unchecked(tool: string): Failed {
  return failed('outcome-unknown', `The run was stopped while the outcome of ${tool} was checked.`)
}
