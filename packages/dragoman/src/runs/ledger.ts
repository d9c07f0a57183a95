import type { Tool, ToolContext, ToolModel, ToolOutcome } from '../agents/index.ts'
import { semaphore } from '../async/index.ts'
import { addUsage, noUsage, type Run, type RunEvent, type Usage } from '../events/index.ts'
import { toolFailureFor } from './guest-failures.ts'
import type { HookedCalls } from './hooked-calls.ts'
import { progressMeter } from './progress-meter.ts'
import { runTool, type Outcome } from './tool-run.ts'

/** Calls of one run that are at work at the same time: a model may ask for any number in one breath. */
const MAX_CONCURRENT_CALLS = 10

export type LedgerOptions = {
  readonly run: Run
  /** Aborts when the run is over, or is let go of. */
  readonly signal: AbortSignal
  /** Whether the run goes on elsewhere: then what may be run again is left without an outcome. */
  readonly goesOn: () => boolean
  readonly write: (event: RunEvent) => void
  readonly flush: () => Promise<unknown>
  /** The agent's model; `count` is told what each question used. */
  readonly model: (count: (usage: Usage) => void) => ToolModel
  readonly state: ToolContext['state']
  readonly hooked: HookedCalls
  /** Told what a tool threw that we did not foresee. */
  readonly report: (error: unknown, callId: string) => void
}

/**
 * The log as the ledger of tools: `tool.executing` is in it before a tool begins, and the outcome before the model reads it. Each gives
 * nothing where the run was left before there was an outcome. @throws what the store refused, when the run is over
 */
export interface Ledger {
  /** `used`: what the tool itself asked of a model. */
  settle(callId: string, outcome: Outcome, used?: Usage): Promise<ToolOutcome>
  /** Where many are at work, it waits until one of them is done: none works for longer than its time, and after a stop none at all. */
  begin(callId: string, tool: Tool, input: unknown): Promise<ToolOutcome | undefined>
}

export function ledgerOf(options: LedgerOptions): Ledger {
  const { run, signal, write, flush } = options
  const settle: Ledger['settle'] = async (callId, reached, used = noUsage) => {
    const outcome = await options.hooked.after(callId, reached)
    const usage = used === noUsage ? {} : { usage: used }
    if ('output' in outcome) {
      const { output, text } = outcome
      write({ type: 'tool.returned', callId, output, text, ...usage })
      await flush()
      return { ok: true, output, text }
    }
    const { failure, text, isHidden } = toolFailureFor(run, outcome.failure)
    if (isHidden) options.report(new Error(outcome.failure.message), callId)
    write({ type: 'tool.failed', callId, failure, ...usage })
    await flush()
    return { ok: false, output: null, text }
  }
  const work: Ledger['begin'] = async (callId, tool, input) => {
    // What was stopped before it began is closed with the run.
    if (signal.aborted) return undefined
    write({ type: 'tool.executing', callId })
    await flush()
    const meter = progressMeter((news) => write({ type: 'tool.progressed', callId, ...news }))
    const { id: runId, userId, threadId, request } = run
    const idempotencyKey = `${runId}/${callId}`
    let used = noUsage
    const model = options.model((usage) => (used = addUsage(used, usage)))
    const outcome = await runTool(tool, input, {
      signal,
      report: (error) => options.report(error, callId),
      call: {
        callId,
        runId,
        idempotencyKey,
        userId,
        threadId,
        context: request.context,
        model,
        state: options.state,
        progress: meter.add,
      },
    }).finally(meter.end)
    if ('failure' in outcome && tool.idempotent && options.goesOn()) return undefined
    return settle(callId, outcome, used)
  }
  const atWork = semaphore(MAX_CONCURRENT_CALLS)
  return { settle, begin: (...call) => atWork.run(() => work(...call)) }
}
