import { z } from 'zod'

import type { ServerTool, ToolResult } from '../agent/index.ts'
import type { EngineCall, ToolOutcome } from '../engines/index.ts'
import { isServiceError } from '../errors.ts'
import { isAlone, type ClientTool, type Json, type Question, type ToolPart } from '../events/index.ts'
import { ledgerOf, type Ledger, type LedgerOptions } from './ledger.ts'
import type { Reply } from './open-calls.ts'
import { saidElse } from './parking.ts'
import { failed, failedTool, type Failed } from './tool-run.ts'

export interface ToolExecutor {
  /**
   * Runs one call, after its question where it has one, and writes its outcome: what fails is an outcome too. Nothing where the run was
   * left before there was one. @throws what the store refused, when the run is over
   */
  execute(callId: string, call: EngineCall): Promise<ToolOutcome | undefined>
  /** Goes on with a call that an earlier attempt left, as the log says how far it had come. */
  goOn(part: ToolPart): Promise<ToolOutcome | undefined>
}

type ExecutorOptions = LedgerOptions & {
  readonly tools: ReadonlyMap<string, ServerTool>
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
  const { run, tools, signal, write, flush, answerTo, report, answerWithinMs } = options
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

  const execute: ToolExecutor['execute'] = async (callId, call) => {
    const name = call.tool
    const their = theirs.get(name)
    if (their) {
      // Whether it takes an input, the client knows.
      const read = readable(call)
      if ('failure' in read) return settle(callId, read)
      const kind = their.confirm ? 'approval' : 'output'
      return ask({ callId, tool: name, input: read.value }, kind)
    }
    const checked = check(tools.get(name), call, report)
    if ('failure' in checked) return settle(callId, checked)
    const { tool, value, asks } = checked
    if (!asks) return begin(callId, tool, value)
    const input = 'value' in call.input ? call.input.value : null
    return ask({ callId, tool: name, input }, 'approval', tool.answerWithinMs)
  }

  return {
    execute,
    async goOn({ callId, tool: name, input = null, ...part }) {
      const call = { callId, tool: name, input }
      switch (part.state) {
        case 'called':
          return execute(callId, asCalled(call))
        case 'asked':
          if ((part.question?.expiresAt ?? Infinity) <= Date.now()) return settle(callId, expired(name))
          return answered(call, await answerTo(callId))
        case 'answered':
          return answered(call, part.answer)
        case 'executing':
          return tryAgain(call, check(tools.get(name), asCalled(call), report), ledger)
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
function tryAgain(
  { callId, tool }: Known,
  checked: Checked | Failed,
  { settle, begin }: Ledger,
): Promise<ToolOutcome | undefined> {
  if ('failure' in checked || !checked.tool.idempotent) return settle(callId, unknown(tool))
  return begin(callId, checked.tool, checked.value)
}

/** What becomes of a call once its question is answered. One that is allowed is asked for its output where the client runs it. */
function answering(
  { tools, report }: ExecutorOptions,
  { settle, begin }: Ledger,
  toClient: (call: Known) => Promise<ToolOutcome | undefined> | undefined,
) {
  return async (call: Known, answer: Reply | undefined): Promise<ToolOutcome | undefined> => {
    const { callId, tool: name } = call
    if (!answer) return undefined
    if (answer === 'unanswered') return { ok: false, output: null, text: saidElse.message }
    if (answer.kind === 'output') return settle(callId, given(answer.output))
    if (answer.kind === 'error') return settle(callId, failed('tool-failed', answer.message))
    if (!answer.approved) return settle(callId, denied(name, answer.reason))
    const asked = toClient(call)
    if (asked) return asked
    const checked = check(tools.get(name), asCalled(call), report)
    return 'failure' in checked ? settle(callId, checked) : begin(callId, checked.tool, checked.value)
  }
}

/** A call as the log has it. */
type Known = { readonly callId: string; readonly tool: string; readonly input: Json }

function asCalled({ callId, tool, input }: Known): EngineCall {
  return { callId, tool, input: { value: input } }
}

/** What a client's tool gave: words as they are, all else as JSON. */
function given(output: Json): ToolResult {
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

function readable({ tool, input }: Pick<EngineCall, 'tool' | 'input'>): { value: Json } | Failed {
  return 'unreadable' in input ? failed('invalid-input', `The input of ${tool} is no valid JSON.`) : input
}

type Checked = { readonly tool: ServerTool; readonly value: unknown; readonly asks: boolean }

/** Whether there is such a tool, it takes this input, and somebody must say yes first. */
function check(
  tool: ServerTool | undefined,
  call: EngineCall,
  report: (error: unknown, callId: string) => void,
): Checked | Failed {
  const { tool: name, callId } = call
  if (!tool) return failed('unknown-tool', `There is no tool named ${name}.`)
  const input = readable(call)
  if ('failure' in input) return input
  try {
    const parsed = tool.input.safeParse(input.value)
    if (parsed.success) return { tool, value: parsed.data, asks: tool.needsApproval(parsed.data) }
    return failed(
      'invalid-input',
      `The input of ${name} is not as it must be. ${z.prettifyError(parsed.error)}`,
    )
  } catch (error) {
    // A transform of the schema threw, or what says whether to ask.
    if (!isServiceError(error)) report(error, callId)
    return failedTool(name, error)
  }
}
