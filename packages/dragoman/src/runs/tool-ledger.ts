import type { Tool, ToolOutcome } from '../agents/index.ts'
import { semaphore } from '../async/index.ts'
import { ServiceError } from '../errors.ts'
import {
  createCallTally,
  isDetached,
  noUsage,
  type CallMeter,
  type Json,
  type RunEvent,
  type Usage,
} from '../events/index.ts'
import { abortCause } from './abort-cause.ts'
import type { BoundHooks } from './call-hooks.ts'
import { saveToolFiles } from './host-files.ts'
import { maskToolFailure } from './mask-guest-failures.ts'
import type { RunContext } from './run-context.ts'
import type { RunBudget } from './run-budget.ts'
import { runTool, type Outcome } from './run-tool.ts'
import { superseded } from './settle-calls.ts'
import type { QuestionWriter } from './question-writer.ts'
import { expired, failed, unaskable, type Failed } from './tool-failure.ts'
import { createUserQuestions, type CallAnswers, type UserQuestions } from './user-questions.ts'

/** Calls of one run that are at work at the same time: a model may ask for any number in one step. */
const MAX_CONCURRENT_CALLS = 10

/** A call as the log has it. `hooks` see its outcome. */
export type LoggedCall = {
  readonly callId: string
  readonly tool: string
  readonly input: Json
  readonly hooks?: BoundHooks | undefined
  readonly answers?: CallAnswers | undefined
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

export function createToolLedger(
  context: RunContext,
  write: (event: RunEvent) => boolean,
  put: QuestionWriter,
): ToolLedger {
  const { run, ports, writer, budget } = context
  const { signal } = context.control
  const places = semaphore(MAX_CONCURRENT_CALLS)
  const settle: ToolLedger['settle'] = async (call, reached, used = noUsage) => {
    const { callId, tool, hooks } = call
    const outcome = fitOutcome(tool, hooks ? await hooks.after(reached) : reached, budget)
    const usage = used === noUsage ? {} : { usage: used }
    if (!('failure' in outcome)) {
      const { output, data } = outcome
      const { events: files, lines } = await saveToolFiles(callId, outcome.files, context)
      const text = [withChange(call, outcome.text), ...lines].join('\n')
      for (const file of files) write(file)
      write({ type: 'tool.returned', callId, ...(output !== undefined && { output }), text, ...usage })
      if (data) write({ type: 'data', ...data })
      await writer.flush()
      return { ok: true, output: output ?? null, text, ...(files.length > 0 && { files }) }
    }
    const { failure, text, files: visible } = maskFailed(outcome, context)
    const { events: files } = await saveToolFiles(callId, visible, context)
    for (const file of files) write(file)
    write({ type: 'tool.failed', callId, failure, ...usage })
    await writer.flush()
    return { ok: false, output: null, text, code: failure.code, ...(files.length > 0 && { files }) }
  }
  const work: ToolLedger['begin'] = async (call, tool, input) => {
    // A call that was stopped before it began is closed with the run.
    if (signal.aborted) return undefined
    write({ type: 'tool.executing', callId: call.callId })
    await writer.flush()
    const meter = createCallTally()
    const questions = createUserQuestions({
      forms: call.answers?.forms ?? [],
      defaultMs: tool.answerWithinMs ?? ports.answerWithin * 1000,
      put: async (question) => {
        if (isDetached(run) && !run.request.mayAsk)
          throw new ServiceError('denied', unaskable(tool.name).failure.message)
        return put(call, question)
      },
      goOn: async () => {
        write({ type: 'tool.executing', callId: call.callId })
        await writer.flush()
      },
    })
    const outcome = await runTool(tool, input, toolRun(context, call, { write, meter, questions }))
    // The call ends with its question, or waits for it.
    if (questions.end === 'released') return undefined
    if (questions.end === 'unanswered') return { ok: false, output: null, text: superseded.message }
    if (questions.end === 'expired') return settle(call, expired(tool.name), meter.usage)
    // The process that continues the run runs the tool again.
    const isContinued = abortCause(signal)?.kind === 'closing'
    if ('failure' in outcome && tool.idempotent && isContinued) return undefined
    return settle(call, outcome, meter.usage)
  }
  return { settle, begin: (...call) => places.run(() => work(...call)) }
}

/** What the user may read of a failure. The process log has the rest. */
function maskFailed({ failure, files = [] }: Failed, { run, ports }: RunContext) {
  const { isHidden, ...masked } = maskToolFailure(run, failure)
  if (isHidden) ports.report(new Error(failure.message), run.id)
  return { ...masked, files: isHidden ? [] : files }
}

/** An outcome for which the run's log has no room is a failure of its tool: the model may ask for less. */
function fitOutcome(tool: string, outcome: Outcome, budget: RunBudget): Outcome {
  if ('failure' in outcome) return outcome
  const { files: _, ...logged } = outcome
  if (budget.fits(Buffer.byteLength(JSON.stringify(logged)))) return outcome
  return failed('too-large', `${tool} returned more than this run may still hold (limits.bytesPerRun).`)
}

/** The model reads what has run, where that is not what it has called. */
function withChange({ input, answers }: LoggedCall, text: string): string {
  return answers?.isEdited
    ? `The user changed the input before it ran: ${JSON.stringify(input)}\n\n${text}`
    : text
}

function toolRun(
  { run, resolved, ports, state, control }: RunContext,
  { callId, answers }: LoggedCall,
  {
    write,
    meter,
    questions,
  }: {
    readonly write: (event: RunEvent) => boolean
    readonly meter: CallMeter
    readonly questions: UserQuestions
  },
): Parameters<typeof runTool>[2] {
  const { id: runId, userId, threadId, request } = run
  return {
    signal: control.signal,
    report: (error) => ports.report(error, runId),
    ask: (question, clock) => questions.ask(question, clock),
    onProgress: (progress) => write({ type: 'tool.progressed', callId, ...progress }),
    onData: write,
    call: {
      callId,
      runId,
      idempotencyKey: `${runId}/${callId}`,
      userId,
      threadId,
      context: request.context,
      ...(answers?.basis !== undefined && { basis: answers.basis }),
      model: resolved.model(run, meter),
      state: { current: state.current, change: (patch) => state.change(patch, write) },
    },
  }
}
