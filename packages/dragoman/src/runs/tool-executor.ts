import type { Tool, CallHooks, EngineCall, ToolOutcome } from '../agents/index.ts'
import { isAlone, type ClientTool, type Json, type Question, type ToolPart } from '../events/index.ts'
import { checkCall, checkNewCall, readableInput, type CheckedCall } from './check-call.ts'
import { ledgerOf, type Ledger, type LedgerOptions } from './ledger.ts'
import { superseded } from './suspend.ts'
import { failed, type Failed } from './tool-failure.ts'
import type { Reply } from './tool-calls.ts'
import type { Outcome } from './tool-run.ts'

export interface ToolExecutor {
  /**
   * Runs one call, after its question where it has one, and writes its outcome: what fails is an outcome too. Nothing where the run was
   * left before there was one. `hooks` see a call that the tool takes. @throws what the store refused, when the run is over
   */
  execute(callId: string, call: EngineCall, hooks?: CallHooks): Promise<ToolOutcome | undefined>
  /** Goes on with a call that an earlier attempt left, as the log says how far it had come. */
  goOn(part: ToolPart): Promise<ToolOutcome | undefined>
}

type ExecutorOptions = LedgerOptions & {
  /** The engine's hooks for calls that an earlier attempt left. */
  readonly hooks: CallHooks | undefined
  readonly tools: ReadonlyMap<string, Tool>
  /** A question that nobody has answered after so long fails its call, unless its tool has a time of its own. */
  readonly answerWithinMs: number
  /** Waits for the answer to a question that is in the log; nothing once the run is aborted. */
  readonly answerTo: (callId: string) => Promise<Reply | undefined>
}

/**
 * Runs tools at most once each. Of a call that was begun and has no outcome nobody knows whether it was done: only an idempotent tool runs
 * it again.
 */
export function toolExecutor(options: ExecutorOptions): ToolExecutor {
  const { run, signal, write, flush, answerTo, answerWithinMs, hooked } = options
  const ledger = ledgerOf(options)
  const { settle, begin } = ledger
  const theirs = clientTools(options)

  const ask = async (call: Known, kind: Question['kind'], withinMs = answerWithinMs) => {
    if (signal.aborted) return undefined
    const { callId } = call
    if (isAlone(run)) return settle(callId, unaskable(call.tool))
    write({ type: 'tool.asked', callId, question: { kind, expiresAt: Date.now() + withinMs } })
    await flush()
    return answered(call, await answerTo(callId))
  }

  const answered = answering(options, ledger, (call) =>
    theirs.has(call.tool) ? ask(call, 'output') : undefined,
  )

  const execute: ToolExecutor['execute'] = async (callId, call, hooks) => {
    const name = call.tool
    const their = theirs.get(name)
    // Whether a client's tool accepts an input is the client's to know.
    const checked = their ? readableInput(call) : await checkNewCall(options, callId, call)
    if (!checked) return undefined
    if ('failure' in checked) return settle(callId, checked)
    const refusal = await hooked.before(callId, call, hooks)
    if (refusal) return refusal === 'stopped' ? undefined : settle(callId, refusal)
    if (!('tool' in checked)) {
      const kind = their?.confirm ? 'approval' : 'output'
      return ask({ callId, tool: name, input: checked.value }, kind)
    }
    const { tool, value, needsApproval } = checked
    if (!needsApproval) return begin(callId, tool, value)
    const input = 'value' in call.input ? call.input.value : null
    return ask({ callId, tool: name, input }, 'approval', tool.answerWithinMs)
  }

  return {
    execute,
    async goOn({ callId, tool: name, input = null, ...part }) {
      const call = { callId, tool: name, input }
      if (part.state === 'called') return execute(callId, asCalled(call), options.hooks)
      hooked.resume(callId, asCalled(call), options.hooks)
      switch (part.state) {
        case 'asked':
          if ((part.question?.expiresAt ?? Infinity) <= Date.now()) return settle(callId, expired(name))
          return answered(call, await answerTo(callId))
        case 'answered':
          return answered(call, part.answer)
        case 'executing':
          return tryAgain(call, await checkCall(options, callId, asCalled(call)), ledger)
        case 'input':
        case 'returned':
        case 'failed':
          return undefined
      }
    },
  }
}

/** What the client runs: a tool of ours goes before one of the same name. */
function clientTools({ run, tools }: ExecutorOptions): ReadonlyMap<string, ClientTool> {
  const theirs = run.request.tools.filter(({ name }) => !tools.has(name))
  return new Map(theirs.map((tool) => [tool.name, tool]))
}

/** Of a call that was begun and has no outcome. */
async function tryAgain(
  { callId, tool }: Known,
  checked: CheckedCall | Failed | undefined,
  { settle, begin }: Ledger,
): Promise<ToolOutcome | undefined> {
  if (!checked) return undefined
  if ('failure' in checked || !checked.tool.idempotent) return settle(callId, unknown(tool))
  return begin(callId, checked.tool, checked.value)
}

/** What becomes of a call once its question is answered. One that is allowed is asked for its output where the client runs it. */
function answering(
  options: ExecutorOptions,
  { settle, begin }: Ledger,
  toClient: (call: Known) => Promise<ToolOutcome | undefined> | undefined,
) {
  return async (call: Known, answer: Reply | undefined): Promise<ToolOutcome | undefined> => {
    const { callId, tool: name } = call
    if (!answer) return undefined
    if (answer === 'unanswered') return { ok: false, output: null, text: superseded.message }
    if (answer.kind === 'output') return settle(callId, given(answer.output))
    if (answer.kind === 'error') return settle(callId, failed(answer.code ?? 'tool-failed', answer.message))
    if (!answer.approved) return settle(callId, denied(name, answer.reason))
    const asked = toClient(call)
    if (asked) return asked
    const checked = await checkCall(options, callId, asCalled(call))
    if (!checked) return undefined
    return 'failure' in checked ? settle(callId, checked) : begin(callId, checked.tool, checked.value)
  }
}

/** A call as the log has it. */
type Known = { readonly callId: string; readonly tool: string; readonly input: Json }

function asCalled({ callId, tool, input }: Known): EngineCall {
  return { callId, tool, input: { value: input } }
}

/** What a client's tool gave: words as they are, all else as JSON. */
function given(output: Json): Outcome {
  return { output, text: typeof output === 'string' ? output : JSON.stringify(output) }
}

function denied(tool: string, reason: string | undefined): Failed {
  const because = reason === undefined || reason === '' ? '.' : `: ${reason}`
  return failed('denied', `The user did not allow ${tool}${because}`)
}

/** Nobody comes back to a run that stands alone. */
function unaskable(tool: string): Failed {
  return failed('denied', `${tool} needs its user’s answer, and here nobody can be asked.`)
}

function expired(tool: string): Failed {
  return failed('expired', `Nobody answered in time whether, or with what, ${tool} may go on.`)
}

function unknown(tool: string): Failed {
  return failed(
    'outcome-unknown',
    `The server was interrupted while ${tool} ran: whether it has done its work is not known.`,
  )
}
