import type { AgentEvent, AgentToolResult } from '@earendil-works/pi-agent-core'

import type { Json } from 'dragoman/events'
import type { CallHooks, EngineCall, ToolOutcome } from 'dragoman/agents'
import type { Step } from 'dragoman/engine'
import type { PiHooks } from './pi-hooks.ts'
import { argumentsOf, assistantMessage } from './pi-messages.ts'
import { textOf } from './to-step-request.ts'

type Result = AgentToolResult<unknown>

/** A call between the host, which runs it, and pi, which decides about it. */
type Call = {
  /** Why pi refuses the call; `undefined` if pi runs it. */
  readonly decision: PromiseWithResolvers<string | undefined>
  /** What the tool gave. */
  readonly outcome: PromiseWithResolvers<ToolOutcome>
  /** The outcome after pi's hook. */
  readonly change: PromiseWithResolvers<ToolOutcome | undefined>
  /** The result that pi has received. */
  given?: ToolOutcome
  /** pi no longer waits for the tool. */
  abandoned: boolean
}

/** The calls of a run. The host runs a call once pi allows it, and records it once pi's hook has seen the outcome. */
export interface PiCalls {
  /** What the host asks about each call of the run. */
  readonly hooks: CallHooks
  /** Runs a call that pi has allowed. @throws if it fails, as pi expects */
  execute(callId: string, step: Step): Promise<Result>
  /** Reads the final state of a call from pi's events. */
  observe(event: AgentEvent): void
}

/** `resumed` are the hooks for calls without pi's loop. */
export function createPiCalls(resumedHooks: CallHooks | undefined): PiCalls {
  const calls = new Map<string, Call>()
  const find = (callId: string): Call => {
    const call = calls.get(callId) ?? newCall()
    calls.set(callId, call)
    return call
  }
  return {
    hooks: {
      before: ({ callId }) => find(callId).decision.promise,
      async after(call, outcome, signal) {
        if (!resumedHooks) return undefined
        const pendingCall = find(call.callId)
        pendingCall.outcome.resolve(outcome)
        return pendingCall.abandoned ? resumedHooks.after(call, outcome, signal) : pendingCall.change.promise
      },
    },
    async execute(callId, step) {
      const call = find(callId)
      call.decision.resolve(undefined)
      const outcome = await Promise.race([call.outcome.promise, step.calls.outcome(callId)])
      call.abandoned = outcome === undefined
      if (!outcome) throw new Error('The run was stopped.')
      call.given = outcome
      if (!outcome.ok) throw new Error(outcome.text)
      return { content: [{ type: 'text', text: outcome.text }], details: outcome.output }
    },
    observe(event) {
      if (event.type !== 'tool_execution_end') return
      const { decision, change, given } = find(event.toolCallId)
      const result = event.result as Result
      decision.resolve(textOf(result.content))
      change.resolve(given && changedOutcome(given, result, event.isError))
    },
  }
}

function newCall(): Call {
  return {
    decision: Promise.withResolvers(),
    outcome: Promise.withResolvers(),
    change: Promise.withResolvers(),
    abandoned: false,
  }
}

/**
 * The outcome that pi's hook has made of another one, if it has changed it: `content` is the text, `details`
 * the output.
 */
function changedOutcome(outcome: ToolOutcome, { content, details }: Result, isError: boolean) {
  const text = textOf(content)
  const isSame = text === outcome.text && isError !== outcome.ok && (isError || details === outcome.output)
  return isSame ? undefined : { ok: !isError, output: isError ? null : (details as Json), text }
}

/**
 * pi's hooks for a call that the host finishes without pi's loop, after an answer or a crash: of the
 * conversation they see this call only.
 */
export function hooksForResumedCalls({ beforeToolCall, afterToolCall }: PiHooks): CallHooks | undefined {
  if (!beforeToolCall && !afterToolCall) return undefined
  return {
    async before(call, signal) {
      const decision = await beforeToolCall?.(contextOf(call), signal)
      return decision?.block ? (decision.reason ?? 'Tool execution was blocked') : undefined
    },
    async after(call, outcome, signal) {
      const { ok, output, text } = outcome
      const result: Result = { content: [{ type: 'text', text }], details: ok ? output : {} }
      const changed = await afterToolCall?.({ ...contextOf(call), result, isError: !ok }, signal)
      if (!changed) return undefined
      const { content = result.content, details = result.details, isError = !ok } = changed
      return changedOutcome(outcome, { content, details }, isError)
    },
  }
}

function contextOf({ callId, tool, input }: EngineCall) {
  const args = argumentsOf('value' in input ? input.value : null)
  const toolCall = { type: 'toolCall' as const, id: callId, name: tool, arguments: args }
  const message = assistantMessage([toolCall], 'toolUse')
  return { assistantMessage: message, toolCall, args, context: { messages: [message], tools: [] } }
}
