import { inputSchemaOf, type CallHooks, type EngineCall, type ToolOutcome } from '../agents/index.ts'
import {
  editedInput,
  isDetached,
  type Json,
  type Question,
  type RunEvent,
  type ToolPart,
} from '../events/index.ts'
import { bindHooks } from './call-hooks.ts'
import { checkCall, checkNewCall, readableInput, type CheckedCall, type CheckOptions } from './check-call.ts'
import { createToolFinder } from './current-tools.ts'
import type { RunContext } from './run-context.ts'
import { previewCall } from './preview-call.ts'
import type { Outcome } from './run-tool.ts'
import { createQuestionWriter } from './question-writer.ts'
import { superseded } from './settle-calls.ts'
import type { Reply } from './tool-calls.ts'
import { denied, expired, failed, unaskable, type Failed } from './tool-failure.ts'
import { answersOf, MAX_SCHEMA_CHARACTERS } from './user-questions.ts'
import { createToolLedger, type LoggedCall } from './tool-ledger.ts'

/**
 * Runs tools at most once each. Whether a call was done that began and has no outcome is unknown: only an idempotent
 * tool runs it again. Both methods give nothing if the run was abandoned before there was an outcome, and throw what
 * the store refused.
 */
export interface ToolExecutor {
  /** Runs one call, after its question if it has one, and writes its outcome: a failure is an outcome too. */
  execute(callId: string, call: EngineCall, hooks?: CallHooks): Promise<ToolOutcome | undefined>
  /** Continues a call that an earlier attempt left, as the log says how far it had come. */
  resume(part: ToolPart): Promise<ToolOutcome | undefined>
}

type Phase = {
  readonly write: (event: RunEvent) => boolean
  /** Aborts once the engine is gone. */
  readonly engineGone: AbortSignal
}

type Done = Promise<ToolOutcome | undefined>

export function createToolExecutor(context: RunContext, { write, engineGone }: Phase): ToolExecutor {
  const { resolved, ports, tracker, control } = context
  const { checks, clientTools, settle, begin, ask, beginAllowed, takeReply, beginAgain } = callSteps(
    context,
    write,
  )
  const report = (error: unknown): void => ports.report(error, context.run.id)
  const bind = (call: EngineCall, hooks = resolved.engine.hooks) =>
    bindHooks(call, hooks, { signal: control.signal, engineGone, report })
  const execute = async (callId: string, call: EngineCall, hooks: CallHooks | undefined): Done => {
    const { tool: name } = call
    const clientTool = clientTools.get(name)
    const input = 'value' in call.input ? call.input.value : null
    const logged = { callId, tool: name, input }
    // Only the client knows whether its tool accepts an input.
    const checked = clientTool ? readableInput(call) : await checkNewCall(checks, callId, call)
    if (!checked) return undefined
    if ('failure' in checked) return settle(logged, checked)
    const bound = hooks && bind(call, hooks)
    const refusal = await bound?.before()
    if (refusal) return refusal === 'stopped' ? undefined : settle(logged, refusal)
    const hooked = { ...logged, hooks: bound }
    if (!('tool' in checked)) {
      const schema = schemaFor(clientTool?.inputSchema)
      return ask(hooked, clientTool?.confirm ? { kind: 'approval', ...schema } : { kind: 'output' })
    }
    const { tool, value, needsApproval } = checked
    if (!needsApproval) return begin(hooked, tool, value)
    return ask(hooked, await approvalOf(checks, callId, checked), tool.answerWithinMs)
  }

  return {
    execute,
    async resume({ callId, tool, input = null, ...part }) {
      const engineCall = asEngineCall({ callId, tool, input })
      const answers = answersOf(context.history.past()?.events ?? [], callId)
      const call = { callId, tool, input, hooks: bind(engineCall), answers }
      switch (part.state) {
        case 'called':
          return execute(callId, engineCall, resolved.engine.hooks)
        case 'asked':
          if (part.question?.inPlace) return settle(call, outcomeUnknown(tool))
          if ((part.question?.expiresAt ?? Infinity) <= Date.now()) return settle(call, expired(tool))
          return takeReply(call, await tracker.calls.replyTo(callId), part.question)
        case 'answered':
          if (part.question?.inPlace) return settle(call, outcomeUnknown(tool))
          return part.question?.kind === 'form'
            ? beginAllowed(call)
            : takeReply(call, part.answer, part.question)
        case 'executing':
          return beginAgain(call)
        case 'input':
        case 'returned':
        case 'failed':
          return undefined
      }
    },
  }
}

/** The steps of a call on its way to its outcome. */
function callSteps(context: RunContext, write: Phase['write']) {
  const { run, resolved, ports, control } = context
  const { signal } = control
  const names = new Set(resolved.agent.tools.map(({ name }) => name))
  // A tool of the agent goes before a client's of the same name.
  const clientTools = new Map(
    run.request.tools.filter(({ name }) => !names.has(name)).map((tool) => [tool.name, tool]),
  )
  const findTool = createToolFinder(resolved, signal)
  const checks = { run, findTool, signal, report: (error: unknown) => ports.report(error, run.id) }
  const put = createQuestionWriter(context, write)
  const { settle, begin } = createToolLedger(context, write, put)

  const ask = async (call: LoggedCall, question: Question, withinMs?: number): Done => {
    if (isDetached(run) && !run.request.mayAsk)
      return signal.aborted ? undefined : settle(call, unaskable(call.tool))
    const expiresAt = Date.now() + (withinMs ?? ports.answerWithin * 1000)
    return takeReply(call, await put(call, { ...question, expiresAt }), question)
  }
  /** A call that was allowed is asked for its output if the client runs it. */
  const takeReply = async (
    asker: LoggedCall,
    reply: Reply | undefined,
    question: Question | undefined,
  ): Done => {
    const call = takeAnswer(asker, reply, question)
    const { tool } = call
    if (!reply) return undefined
    if (reply === 'expired') return settle(call, expired(tool))
    if (reply === 'unanswered') return { ok: false, output: null, text: superseded.message }
    if (question?.kind === 'form') return beginAllowed(call)
    if (reply.kind === 'error') return settle(call, failed(reply.code ?? 'tool-failed', reply.message))
    if (reply.kind !== 'approval') return settle(call, clientOutput(reply.output))
    if (!reply.approved) return settle(call, denied(tool, reply.reason))
    return clientTools.has(tool) ? ask(call, { kind: 'output' }) : beginAllowed(call)
  }
  /** Begins a call that its user has let go on. */
  const beginAllowed = async (call: LoggedCall): Done => {
    const checked = await checkCall(checks, asEngineCall(call))
    if (!checked) return undefined
    return 'failure' in checked ? settle(call, checked) : begin(call, checked.tool, checked.value)
  }
  const beginAgain = async (call: LoggedCall): Done => {
    const checked = await checkCall(checks, asEngineCall(call))
    if (!checked) return undefined
    if ('failure' in checked || !checked.tool.idempotent) return settle(call, outcomeUnknown(call.tool))
    return begin(call, checked.tool, checked.value)
  }
  return { checks, clientTools, settle, begin, ask, beginAllowed, takeReply, beginAgain }
}

/** The call with what the reply adds to it: the answer of a form, or another input. */
function takeAnswer(call: LoggedCall, reply: Reply | undefined, question: Question | undefined): LoggedCall {
  if (typeof reply !== 'object') return call
  const { forms = [], ...earlier } = call.answers ?? { isEdited: false }
  if (question?.kind === 'form') return { ...call, answers: { forms: [...forms, reply], ...earlier } }
  const input = editedInput(reply)
  if (input !== undefined) return { ...call, input, answers: { forms, isEdited: true } }
  return question?.basis === undefined
    ? call
    : { ...call, answers: { forms, ...earlier, basis: question.basis } }
}

async function approvalOf(checks: CheckOptions, callId: string, call: CheckedCall): Promise<Question> {
  const schema = schemaFor(await inputSchemaOf(call.tool))
  return { kind: 'approval', ...schema, ...(await previewCall(checks, callId, call)) }
}

/** What a client may write into an input, unless it is too much for the log. */
function schemaFor(schema: Json | undefined): { readonly schema?: Json } {
  return schema === undefined || JSON.stringify(schema).length > MAX_SCHEMA_CHARACTERS ? {} : { schema }
}

function asEngineCall({ callId, tool, input }: LoggedCall): EngineCall {
  return { callId, tool, input: { value: input } }
}

/** The model reads a text as it is, all else as JSON. */
function clientOutput(output: Json): Outcome {
  return { output, text: typeof output === 'string' ? output : JSON.stringify(output) }
}

function outcomeUnknown(tool: string): Failed {
  return failed(
    'outcome-unknown',
    `The server was interrupted while ${tool} ran: whether it has done its work is not known.`,
  )
}
