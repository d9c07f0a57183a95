import type { CallHooks, EngineCall, ToolOutcome } from '../agents/index.ts'
import { raceAbort } from '../async/index.ts'
import { failed, failedTool, type Failed } from './tool-failure.ts'
import type { Outcome } from './tool-run.ts'

/** How long an outcome waits for its hook after the run was aborted, in ms. */
const HOOK_GRACE_MS = 50

/** The calls of one run whose engine has hooks, by the log's id of the call. */
export interface HookedCalls {
  /**
   * Asks the hooks whether a call may run, and notes that they see its outcome if it may. Gives `stopped` if the run or
   * its engine ends first.
   */
  before(
    callId: string,
    call: EngineCall,
    hooks: CallHooks | undefined,
  ): Promise<Failed | 'stopped' | undefined>
  /** Notes that the hooks see the outcome of a call that they let run in an earlier attempt. */
  resume(callId: string, call: EngineCall, hooks: CallHooks | undefined): void
  /** Gives the outcome to record: what the call's hooks make of it. */
  after(callId: string, outcome: Outcome): Promise<Outcome>
  /** The engine is gone: the hooks that are still at work are not waited for. */
  leave(): void
}

type Hooked = { readonly call: EngineCall; readonly hooks: CallHooks }

/** `report` receives what a hook throws. */
export function hookedCalls(
  signal: AbortSignal,
  report: (error: unknown, callId: string) => void,
): HookedCalls {
  const hooked = new Map<string, Hooked>()
  let engine = new AbortController()
  const inTime = <T>(graceMs: number, work: Promise<T>): Promise<T | typeof LATE> =>
    raceAbort(work, AbortSignal.any([signal, engine.signal]), () => LATE, graceMs)
  const resume: HookedCalls['resume'] = (callId, call, hooks) => {
    if (hooks) hooked.set(callId, { call, hooks })
  }
  const failure = (error: unknown, callId: string, tool: string): Failed => {
    report(error, callId)
    return failedTool(tool, error)
  }
  return {
    resume,
    async before(callId, call, hooks) {
      if (!hooks) return undefined
      try {
        const reason = await inTime(0, hooks.before(call, signal))
        if (reason === LATE) return 'stopped'
        if (reason !== undefined) return failed('denied', readable(call.tool, reason))
        resume(callId, call, hooks)
        return undefined
      } catch (error) {
        return failure(error, callId, call.tool)
      }
    },
    async after(callId, outcome) {
      const known = hooked.get(callId)
      if (!known) return outcome
      hooked.delete(callId)
      const { call, hooks } = known
      try {
        const changed = await inTime(HOOK_GRACE_MS, hooks.after(call, asOutcome(outcome), signal))
        if (changed === LATE) return 'failure' in outcome ? outcome : unhooked(call.tool)
        return changed ? asChanged(call.tool, outcome, changed) : outcome
      } catch (error) {
        return failure(error, callId, call.tool)
      }
    },
    leave() {
      engine.abort()
      engine = new AbortController()
    },
  }
}

function asOutcome(outcome: Outcome): ToolOutcome {
  return 'failure' in outcome
    ? { ok: false, output: null, text: outcome.failure.message }
    : { ok: true, ...outcome }
}

/** A failure keeps its code. */
function asChanged(tool: string, before: Outcome, { ok, output, text }: ToolOutcome): Outcome {
  if (ok) return { output, text }
  const message = readable(tool, text)
  return 'failure' in before ? { failure: { ...before.failure, message } } : failed('tool-failed', message)
}

/** A hook's words without keys and paths. */
function readable(tool: string, text: string): string {
  return failedTool(tool, text).failure.message
}

/** What a hook might have hidden must not be recorded. */
function unhooked(tool: string): Failed {
  return failed('outcome-unknown', `The run was stopped while the outcome of ${tool} was checked.`)
}

const LATE = Symbol('late')
