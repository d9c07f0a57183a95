import type { LogEntry, Question, Usage } from '../events/index.ts'

/** One use of a tool. */
export type ToolCallActivity = {
  readonly type: 'tool'
  readonly callId: string
  readonly tool: string
  /** The side that ran the call. `none`: an unknown or refused call. */
  readonly side: 'server' | 'client' | 'none'
  readonly start: number
  readonly end: number
  /** The ms for which the call waited for an approval. */
  readonly waited: number
  /** The usage of model calls that the tool made. */
  readonly usage?: Usage
  readonly error?: string
}

type OpenToolCall = {
  readonly tool: string
  calledAt: number
  executedAt?: number
  /** The time and kind of the last question. */
  question?: { at: number; kind: Question['kind'] }
  /** When its client gave the output. */
  outputAt?: number
  waited: number
}

/** The calls of a run, from the log: each is over with its outcome. */
export function trackToolCalls(): { take(entry: LogEntry): readonly ToolCallActivity[] } {
  const open = new Map<string, OpenToolCall>()
  return {
    take({ event, at }) {
      if (!('callId' in event)) return []
      const { callId } = event
      if (event.type === 'tool.started' || event.type === 'tool.called') {
        open.set(callId, { tool: event.tool, calledAt: at, waited: 0 })
        return []
      }
      const call = open.get(callId)
      if (!call) return []
      if (event.type === 'tool.asked') call.question = { at, kind: event.question.kind }
      if (event.type === 'tool.executing') call.executedAt = at
      if (event.type === 'tool.answered') applyAnswer(call, at)
      if (event.type !== 'tool.returned' && event.type !== 'tool.failed') return []
      open.delete(callId)
      return [
        {
          type: 'tool',
          callId,
          tool: call.tool,
          ...timeAndSide(call, at),
          waited: call.waited,
          ...(event.usage && { usage: event.usage }),
          ...(event.type === 'tool.failed' && { error: event.failure.code }),
        },
      ]
    },
  }
}

function applyAnswer(call: OpenToolCall, at: number): void {
  if (call.question?.kind === 'output') call.outputAt = at
  else if (call.question) call.waited += at - call.question.at
}

function timeAndSide(call: OpenToolCall, at: number): Pick<ToolCallActivity, 'side' | 'start' | 'end'> {
  const { executedAt, question, outputAt, calledAt } = call
  if (executedAt !== undefined) return { side: 'server', start: executedAt, end: at }
  if (question?.kind === 'output') return { side: 'client', start: question.at, end: outputAt ?? at }
  return { side: 'none', start: calledAt, end: at }
}
