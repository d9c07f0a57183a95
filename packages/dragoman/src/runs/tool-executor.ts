import type { CallHooks, EngineCall, ToolOutcome } from '../agents/index.ts'
import { isDetached, type Json, type Question, type RunEvent, type ToolPart } from '../events/index.ts'
import type { DetachedQuestion } from '../threads/index.ts'
import { bindHooks } from './call-hooks.ts'
import { checkCall, checkNewCall, readableInput } from './check-call.ts'
import type { RunContext } from './run-context.ts'
import type { Outcome } from './run-tool.ts'
import { superseded } from './settle-calls.ts'
import type { Reply } from './tool-calls.ts'
import { failed, type Failed } from './tool-failure.ts'
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
  const { checks, clientTools, settle, begin, ask, takeReply, beginAgain } = callSteps(context, write)
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
    if (!('tool' in checked)) return ask(hooked, clientTool?.confirm ? 'approval' : 'output')
    const { tool, value, needsApproval } = checked
    return needsApproval ? ask(hooked, 'approval', tool.answerWithinMs) : begin(hooked, tool, value)
  }

  return {
    execute,
    async resume({ callId, tool, input = null, ...part }) {
      const engineCall = asEngineCall({ callId, tool, input })
      const call = { callId, tool, input, hooks: bind(engineCall) }
      switch (part.state) {
        case 'called':
          return execute(callId, engineCall, resolved.engine.hooks)
        case 'asked':
          if ((part.question?.expiresAt ?? Infinity) <= Date.now()) return settle(call, expired(tool))
          return takeReply(call, await tracker.calls.replyTo(callId))
        case 'answered':
          return takeReply(call, part.answer)
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
  const { run, resolved, ports, writer, tracker, waits, control } = context
  const { signal } = control
  const tools = new Map(resolved.agent.tools.map((tool) => [tool.name, tool]))
  // A tool of the agent goes before a client's of the same name.
  const clientTools = new Map(
    run.request.tools.filter(({ name }) => !tools.has(name)).map((tool) => [tool.name, tool]),
  )
  const checks = { run, tools, signal, report: (error: unknown) => ports.report(error, run.id) }
  const { settle, begin } = createToolLedger(context, write)

  const ask = async (call: LoggedCall, kind: Question['kind'], withinMs?: number): Done => {
    if (signal.aborted) return undefined
    const { callId, tool } = call
    if (isDetached(run) && !run.request.mayAsk) return settle(call, unaskable(tool))
    const expiresAt = Date.now() + (withinMs ?? ports.answerWithin * 1000)
    write({ type: 'tool.asked', callId, question: { kind, expiresAt } })
    await writer.flush()
    if (isDetached(run)) return takeReply(call, await askInPlace(call, { kind, expiresAt }))
    return takeReply(call, await tracker.calls.replyTo(callId))
  }
  /** No projector knows a detached run, so its questions are listed here. */
  const askInPlace = async (
    { callId, tool, input }: LoggedCall,
    terms: Pick<DetachedQuestion, 'kind' | 'expiresAt'>,
  ): Promise<Reply | undefined> => {
    const report = (error: unknown): void => ports.report(error, run.id)
    const question = { callId, tool, input, ...terms, askedAt: Date.now() }
    await ports.questions?.open(run, question).catch(report)
    const reply = await waits.replyTo(callId, terms.expiresAt)
    await ports.questions?.close(callId).catch(report)
    return reply
  }
  /** A call that was allowed is asked for its output if the client runs it. */
  const takeReply = async (call: LoggedCall, reply: Reply | undefined): Done => {
    const { tool } = call
    if (!reply) return undefined
    if (reply === 'expired') return settle(call, expired(tool))
    if (reply === 'unanswered') return { ok: false, output: null, text: superseded.message }
    if (reply.kind === 'output') return settle(call, clientOutput(reply.output))
    if (reply.kind === 'error') return settle(call, failed(reply.code ?? 'tool-failed', reply.message))
    if (!reply.approved) return settle(call, denied(tool, reply.reason))
    if (clientTools.has(tool)) return ask(call, 'output')
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
  return { checks, clientTools, settle, begin, ask, takeReply, beginAgain }
}

function asEngineCall({ callId, tool, input }: LoggedCall): EngineCall {
  return { callId, tool, input: { value: input } }
}

/** The model reads a text as it is, all else as JSON. */
function clientOutput(output: Json): Outcome {
  return { output, text: typeof output === 'string' ? output : JSON.stringify(output) }
}

function denied(tool: string, reason: string | undefined): Failed {
  const because = reason === undefined || reason === '' ? '.' : `: ${reason}`
  return failed('denied', `The user did not allow ${tool}${because}`)
}

/** The caller of this detached run has no user to ask. */
function unaskable(tool: string): Failed {
  return failed('denied', `${tool} needs its user’s answer, and here nobody can be asked.`)
}

function expired(tool: string): Failed {
  return failed('expired', `Nobody answered in time whether, or with what, ${tool} may go on.`)
}

function outcomeUnknown(tool: string): Failed {
  return failed(
    'outcome-unknown',
    `The server was interrupted while ${tool} ran: whether it has done its work is not known.`,
  )
}
