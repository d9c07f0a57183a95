import {
  isTerminal,
  pausesAfter,
  type Json,
  type LogEntry,
  type TerminalEvent,
  type Usage,
} from '../../events/index.ts'
import type { OpenCall } from '../so-far.ts'
import { messageIdOf, type Memory, type Writing } from './memory.ts'
import { threadIdOf } from './names.ts'
import { spokenQuestion } from './spoken-question.ts'
import type { AgUiWord, Interrupt, Outcome, TokenUsage } from './wire.ts'

/**
 * Whether the client's run ends with an event, which is remembered already: with ours, or where that waits. In use-ai
 * it ends where
 * approvals alone are waited for: its page runs the tools that it is asked for while the run goes on, and one that
 * watches is not asked.
 */
export function ends({ event }: LogEntry, { memory, profile, view }: Writing): boolean {
  const { waiting, calls } = memory.soFar
  if (isTerminal(event) || !pausesAfter(event, waiting)) return isTerminal(event)
  if (profile !== 'use-ai') return true
  return !view.watches && waiting.every((callId) => calls.get(callId)?.question?.kind === 'approval')
}

export function endWords({ event }: LogEntry, writing: Writing): AgUiWord[] {
  if (isTerminal(event)) return terminalWords(event, writing)
  if (writing.profile === 'use-ai') return questionWords(writing)
  return [finished(writing, writing.memory.soFar.usage, { outcome: pendingOf(writing) })]
}

/**
 * A page of use-ai shows text alone: it is asked in the run's message, which ends there, so that its user can answer
 * by the next one.
 */
function questionWords(writing: Writing): AgUiWord[] {
  const { run, memory } = writing
  const { waiting, calls, usage } = memory.soFar
  const messageId = messageIdOf(writing)
  const question = spokenQuestion(
    run,
    waiting.flatMap((callId) => calls.get(callId) ?? []),
  )
  const delta = memory.hasWords ? `\n\n${question}` : question
  memory.text += delta
  const words: AgUiWord[] = [
    ...(memory.hasText ? [] : [{ type: 'TEXT_MESSAGE_START', messageId, role: 'assistant' } as const]),
    { type: 'TEXT_MESSAGE_CONTENT', messageId, delta },
    { type: 'TEXT_MESSAGE_END', messageId },
    finished(writing, usage, {}),
  ]
  beginAnew(memory)
  return words
}

/** The part after the answer is a run of its own to the client, with a message of its own. */
function beginAnew(memory: Memory): void {
  memory.firstStep = memory.steps + 1
  memory.hasText = false
  memory.hasWords = false
  memory.hasCalls = false
  memory.text = ''
}

/** A message that is still open is whole: use-ai shows it from then on. */
function terminalWords(event: TerminalEvent, writing: Writing): AgUiWord[] {
  const { memory, profile } = writing
  const messageId = messageIdOf(writing)
  const open = profile === 'use-ai' && memory.hasText
  return [...(open ? [{ type: 'TEXT_MESSAGE_END', messageId } as const] : []), terminal(event, writing)]
}

function terminal(event: TerminalEvent, writing: Writing): AgUiWord {
  const { memory, profile } = writing
  switch (event.type) {
    case 'run.finished':
      // A client of use-ai would wait on: it takes an end without any words for none.
      if (profile === 'use-ai' && !memory.hasText && !memory.hasCalls)
        return failed('UNKNOWN_ERROR', 'empty-response', profile)
      return finished(writing, event.usage, { metadata: { finishReason: event.reason } })
    case 'run.cancelled':
      return profile === 'agui-1.0'
        ? finished(writing, event.usage, { outcome: { type: 'cancelled' } })
        : failed('Run aborted by user', 'abort', profile)
    case 'run.failed': {
      const { code, message } = event.failure
      return failed(profile === 'use-ai' ? (USE_AI[code] ?? message) : message, code, profile)
    }
  }
}

/** The words for which the clients of use-ai have sentences. */
const USE_AI: Readonly<Record<string, string>> = {
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

function failed(message: string, code: string, profile: Writing['profile']): AgUiWord {
  return { type: 'RUN_ERROR', message, code, ...(profile !== 'agui-1.0' && { error: message }) }
}

/** Only use-ai is told all words once more, as `result`: elsewhere an encoder does not keep them, and they are those of the messages. */
function finished(
  { run, view, memory, profile }: Writing,
  total: Usage,
  said: { readonly outcome?: Outcome | undefined; readonly metadata?: { readonly [field: string]: Json } },
): AgUiWord {
  const usage = toTokenUsage(since(total, memory.billed))
  memory.billed = total
  const { outcome, metadata } = said
  return {
    type: 'RUN_FINISHED',
    threadId: threadIdOf(run, view),
    runId: memory.runId ?? run.id,
    ...(profile === 'use-ai' && { result: memory.text }),
    ...(outcome && { outcome }),
    usage: [usage],
    ...(metadata && { metadata }),
  }
}

/** What the run waits for: a yes interrupts it; the client's own tools are pending, which those before 1.0 find by themselves. */
function pendingOf({ profile, memory }: Writing): Outcome | undefined {
  const { waiting, calls } = memory.soFar
  const interrupts = waiting.flatMap((callId) => {
    const call = calls.get(callId)
    return call?.question?.kind === 'approval' ? [toInterrupt(callId, call, profile)] : []
  })
  if (interrupts.length > 0) return { type: 'interrupt', interrupts }
  return profile === 'agui-1.0' ? { type: 'success', pendingToolCallIds: waiting } : undefined
}

const VERDICT = {
  type: 'object',
  properties: { approved: { type: 'boolean' }, reason: { type: 'string' } },
  required: ['approved'],
}

/** Of one that is over clients before 1.0 say nothing more, not even a no, and then nothing else in their conversation: they are told no time. */
function toInterrupt(
  callId: string,
  { tool, input, question }: OpenCall,
  profile: Writing['profile'],
): Interrupt {
  const expiresAt = profile === 'agui-1.0' ? question?.expiresAt : undefined
  return {
    id: callId,
    reason: 'confirmation',
    message: `May ${tool} run?`,
    toolCallId: callId,
    responseSchema: VERDICT,
    ...(expiresAt !== undefined && { expiresAt: new Date(expiresAt).toISOString() }),
    metadata: { toolCallName: tool, input },
  }
}

export function toTokenUsage(usage: Usage): TokenUsage {
  const { inputTokens, outputTokens, reasoningTokens, cachedInputTokens } = usage
  return {
    inputTokens,
    outputTokens,
    totalTokens: inputTokens + outputTokens,
    ...(reasoningTokens !== undefined && { reasoningTokens }),
    ...(cachedInputTokens !== undefined && { cachedInputTokens }),
  }
}

function since(total: Usage, before: Memory['billed']): Usage {
  const less = (field: 'inputTokens' | 'outputTokens' | 'reasoningTokens' | 'cachedInputTokens'): number =>
    Math.max(0, (total[field] ?? 0) - (before[field] ?? 0))
  return {
    inputTokens: less('inputTokens'),
    outputTokens: less('outputTokens'),
    ...(total.reasoningTokens !== undefined && { reasoningTokens: less('reasoningTokens') }),
    ...(total.cachedInputTokens !== undefined && { cachedInputTokens: less('cachedInputTokens') }),
  }
}
