import {
  isForPerson,
  isJsonObject,
  isTerminal,
  pausesAfter,
  type Json,
  type LogEntry,
  type TerminalEvent,
  type Usage,
} from 'dragoman/events'
import type { OpenCall } from 'dragoman/protocols'
import { messageIdOf, type EncoderMemory, type EncoderContext } from './encoder-memory.ts'
import { tanStackBinding } from './tan-stack-binding.ts'
import { takeUsage } from './token-usage.ts'
import { threadIdOf } from './client-ids.ts'
import { askInText } from './text-approval.ts'
import type { AgUiEventBody, Interrupt, Outcome } from './wire.ts'

/**
 * Whether the client's run ends with an entry, which the memory already contains: when our run ends or waits. In
 * use-ai it ends only when the run waits for nothing but approvals, because its page runs client tools while the
 * run continues. A watching reader is never asked.
 */
export function endsClientRun({ event }: LogEntry, { memory, profile, view }: EncoderContext): boolean {
  const { waiting, calls } = memory.progress
  if (isTerminal(event) || !pausesAfter(event, waiting)) return isTerminal(event)
  if (profile !== 'use-ai') return true
  return !view.watches && waiting.every((callId) => isForPerson(calls.get(callId)?.question))
}

export function encodeRunEnd({ event }: LogEntry, context: EncoderContext): AgUiEventBody[] {
  if (isTerminal(event)) return encodeTerminal(event, context)
  if (context.profile === 'use-ai') return encodeTextApproval(context)
  const outcome = pendingOutcome(context)
  const finished = toRunFinished(context, context.memory.progress.usage, { outcome })
  // Who answers continues from here, perhaps in another client.
  return outcome?.type === 'interrupt'
    ? [{ type: 'STATE_SNAPSHOT', snapshot: context.memory.state }, finished]
    : [finished]
}

/**
 * A page of use-ai shows only text. So the run's message asks for the approval and ends, and the user's next
 * message answers.
 */
function encodeTextApproval(context: EncoderContext): AgUiEventBody[] {
  const { run, memory } = context
  const { waiting, calls, usage } = memory.progress
  const messageId = messageIdOf(context)
  const waitingCalls = waiting.flatMap((callId) => calls.get(callId) ?? [])
  const approvals = waitingCalls.filter((call) => call.question?.kind === 'approval')
  const forms = waitingCalls.flatMap((call) =>
    call.question?.kind === 'form' ? (call.question.message ?? []) : [],
  )
  const question = [...forms, ...(approvals.length > 0 ? [askInText(run, approvals)] : [])].join('\n\n')
  const delta = memory.hasEarlierText ? `\n\n${question}` : question
  memory.text += delta
  const events: AgUiEventBody[] = [
    ...(memory.hasText ? [] : [{ type: 'TEXT_MESSAGE_START', messageId, role: 'assistant' } as const]),
    { type: 'TEXT_MESSAGE_CONTENT', messageId, delta },
    { type: 'TEXT_MESSAGE_END', messageId },
    toRunFinished(context, usage, {}),
  ]
  resetMessage(memory)
  return events
}

/** The part after the answer is a run of its own to the client, with a message of its own. */
function resetMessage(memory: EncoderMemory): void {
  memory.firstStep = memory.steps + 1
  memory.hasText = false
  memory.hasEarlierText = false
  memory.hasCalls = false
  memory.text = ''
}

/** A message that is still open is whole: use-ai shows it from then on. */
function encodeTerminal(event: TerminalEvent, context: EncoderContext): AgUiEventBody[] {
  const { memory, profile } = context
  const messageId = messageIdOf(context)
  const open = profile === 'use-ai' && memory.hasText
  return [
    ...(open ? [{ type: 'TEXT_MESSAGE_END', messageId } as const] : []),
    toTerminalEvent(event, context),
  ]
}

function toTerminalEvent(event: TerminalEvent, context: EncoderContext): AgUiEventBody {
  const { memory, profile } = context
  switch (event.type) {
    case 'run.finished':
      // A client of use-ai ignores an end without any output, and would keep waiting.
      if (profile === 'use-ai' && !memory.hasText && !memory.hasCalls)
        return toRunError('UNKNOWN_ERROR', 'empty-response', profile)
      return toRunFinished(context, event.usage, { metadata: { finishReason: event.reason } })
    case 'run.cancelled':
      return profile === 'agui-1.0'
        ? toRunFinished(context, event.usage, { outcome: { type: 'cancelled' } })
        : toRunError('Run aborted by user', 'abort', profile)
    case 'run.failed': {
      const { code, message } = event.failure
      return toRunError(profile === 'use-ai' ? (USE_AI_ERRORS[code] ?? message) : message, code, profile)
    }
  }
}

/** The error codes that the clients of use-ai can show. */
const USE_AI_ERRORS: Readonly<Record<string, string>> = {
  'rate-limited': 'RATE_LIMITED',
  'model-overloaded': 'API_OVERLOADED',
  unavailable: 'API_OVERLOADED',
  'timed-out': 'UNKNOWN_ERROR',
  'model-unauthorized': 'UNKNOWN_ERROR',
  'model-refused': 'UNKNOWN_ERROR',
  'context-full': 'UNKNOWN_ERROR',
  'model-missing': 'UNKNOWN_ERROR',
  'model-failed': 'UNKNOWN_ERROR',
}

function toRunError(message: string, code: string, profile: EncoderContext['profile']): AgUiEventBody {
  return { type: 'RUN_ERROR', message, code, ...(profile !== 'agui-1.0' && { error: message }) }
}

/**
 * Only use-ai gets the whole text again, as `result`. Elsewhere an encoder does not store it, because the
 * messages contain it.
 */
function toRunFinished(
  { run, view, memory, profile }: EncoderContext,
  total: Usage,
  fields: { readonly outcome?: Outcome | undefined; readonly metadata?: { readonly [field: string]: Json } },
): AgUiEventBody {
  const { outcome, metadata } = fields
  return {
    type: 'RUN_FINISHED',
    threadId: threadIdOf(run, view),
    runId: memory.runId ?? run.id,
    ...(profile === 'use-ai' && { result: memory.text }),
    ...(outcome && { outcome }),
    usage: takeUsage(memory, total),
    ...(metadata && { metadata }),
  }
}

/**
 * What the run waits for. An approval interrupts the client's run. Client tools are pending; clients before 1.0
 * find them by themselves.
 */
function pendingOutcome({ run, profile, memory }: EncoderContext): Outcome | undefined {
  const { waiting, calls } = memory.progress
  const interrupts = waiting.flatMap((callId) => {
    const call = calls.get(callId)
    return call && isForPerson(call.question)
      ? [toInterrupt(callId, call, { profile, runId: memory.runId ?? run.id })]
      : []
  })
  if (interrupts.length > 0) return { type: 'interrupt', interrupts }
  return profile === 'agui-1.0' ? { type: 'success', pendingToolCallIds: waiting } : undefined
}

/** `editedArgs` replaces the arguments of the call. */
function approvalSchema(schema: Json | undefined): { readonly [field: string]: Json } {
  const editedArgs = schema === undefined ? {} : { editedArgs: schema }
  return {
    type: 'object',
    properties: { approved: { type: 'boolean' }, reason: { type: 'string' }, ...editedArgs },
    required: ['approved'],
  }
}

/**
 * Clients before 1.0 get no expiry time: they refuse to answer an expired interrupt, and then block their whole
 * conversation.
 */
function toInterrupt(
  callId: string,
  { tool, input, question }: OpenCall,
  { profile, runId }: { readonly profile: EncoderContext['profile']; readonly runId: string },
): Interrupt {
  const expiresAt = profile === 'agui-1.0' ? question?.expiresAt : undefined
  const isForm = question?.kind === 'form'
  const schema = isJsonObject(question?.schema) ? question.schema : {}
  const binding = isForm ? tanStackBinding(callId, runId, schema) : {}
  return {
    id: callId,
    reason: isForm ? 'input_required' : 'tool_call',
    message: question?.message ?? `May ${tool} run?`,
    toolCallId: callId,
    responseSchema: isForm ? schema : approvalSchema(question?.schema),
    ...(expiresAt !== undefined && { expiresAt: new Date(expiresAt).toISOString() }),
    // TanStack reads `kind` and `toolName`, and CopilotKit `toolCallName`.
    metadata: {
      kind: isForm ? 'form' : 'approval',
      toolName: tool,
      toolCallName: tool,
      input,
      ...(question?.preview && { preview: question.preview }),
      ...binding,
    },
  }
}
