import type { Tool, ToolOutcome } from '../agents/index.ts'
import { semaphore } from '../async/index.ts'
import {
  createCallTally,
  noUsage,
  type CallMeter,
  type Json,
  type RunEvent,
  type Usage,
} from '../events/index.ts'
import { abortCause } from './abort-cause.ts'
import type { BoundHooks } from './call-hooks.ts'
import { maskToolFailure } from './mask-guest-failures.ts'
import type { RunContext } from './run-context.ts'
import type { RunBudget } from './run-budget.ts'
import { runTool, type Outcome } from './run-tool.ts'
import { failed } from './tool-failure.ts'

/** Calls of one run that are at work at the same time: a model may ask for any number in one step. */
const MAX_CONCURRENT_CALLS = 10

/** A call as the log has it. `hooks` see its outcome. */
export type LoggedCall = {
  readonly callId: string
  readonly tool: string
  readonly input: Json
  readonly hooks?: BoundHooks | undefined
}

/**
 * The log as the ledger of tools: `tool.executing` is in it before a tool begins, and the outcome before the model
 * reads it.
 * @throws what the store refused, when the run is over
 */
export interface ToolLedger {
  /** `used`: what the tool itself asked of a model. */
  settle(call: LoggedCall, outcome: Outcome, used?: Usage): Promise<ToolOutcome>
  /**
   * Runs the tool once there is a place for it: no call works for longer than its time, and none works after a stop.
   * Nothing if the run was abandoned before there was an outcome.
   */
  begin(call: LoggedCall, tool: Tool, input: unknown): Promise<ToolOutcome | undefined>
}

export function createToolLedger(context: RunContext, write: (event: RunEvent) => boolean): ToolLedger {
  const { run, ports, writer, budget, control } = context
  const { signal } = control
  const places = semaphore(MAX_CONCURRENT_CALLS)
  const settle: ToolLedger['settle'] = async ({ callId, tool, hooks }, reached, used = noUsage) => {
    const outcome = fitOutcome(tool, hooks ? await hooks.after(reached) : reached, budget)
    const usage = used === noUsage ? {} : { usage: used }
    if ('output' in outcome) {
      const { output, text, data } = outcome
      write({ type: 'tool.returned', callId, output, text, ...usage })
      if (data) write({ type: 'data', ...data })
      await writer.flush()
      return { ok: true, output, text }
    }
    const { failure, text, isHidden } = maskToolFailure(run, outcome.failure)
    if (isHidden) ports.report(new Error(outcome.failure.message), run.id)
    write({ type: 'tool.failed', callId, failure, ...usage })
    await writer.flush()
    return { ok: false, output: null, text, code: failure.code }
  }
  const work: ToolLedger['begin'] = async (call, tool, input) => {
    // A call that was stopped before it began is closed with the run.
    if (signal.aborted) return undefined
    write({ type: 'tool.executing', callId: call.callId })
    await writer.flush()
    const meter = createCallTally()
    const outcome = await runTool(tool, input, toolRun(context, call, { write, meter }))
    // The process that continues the run runs the tool again.
    const isContinued = abortCause(signal)?.kind === 'closing'
    if ('failure' in outcome && tool.idempotent && isContinued) return undefined
    return settle(call, outcome, meter.usage)
  }
  return { settle, begin: (...call) => places.run(() => work(...call)) }
}

/** An outcome for which the run's log has no room is a failure of its tool: the model may ask for less. */
function fitOutcome(tool: string, outcome: Outcome, budget: RunBudget): Outcome {
  if ('failure' in outcome || budget.fits(Buffer.byteLength(JSON.stringify(outcome)))) return outcome
  return failed('too-large', `${tool} returned more than this run may still hold (limits.bytesPerRun).`)
}

function toolRun(
  { run, resolved, ports, state, control }: RunContext,
  { callId }: LoggedCall,
  { write, meter }: { readonly write: (event: RunEvent) => boolean; readonly meter: CallMeter },
): Parameters<typeof runTool>[2] {
  const { id: runId, userId, threadId, request } = run
  return {
    signal: control.signal,
    report: (error) => ports.report(error, runId),
    onProgress: (progress) => write({ type: 'tool.progressed', callId, ...progress }),
    call: {
      callId,
      runId,
      idempotencyKey: `${runId}/${callId}`,
      userId,
      threadId,
      context: request.context,
      model: resolved.model(userId, meter),
      state: { current: state.current, change: (patch) => state.change(patch, write) },
    },
  }
}
