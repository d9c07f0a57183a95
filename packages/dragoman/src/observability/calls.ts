import type { LogEntry, Usage } from '../events/index.ts'

/** One use of a tool. */
export type ToolDone = {
  readonly type: 'tool'
  readonly callId: string
  readonly tool: string
  /** Who ran it: `none` where nobody did, as of one that is not known or was refused. */
  readonly side: 'server' | 'client' | 'none'
  readonly start: number
  readonly end: number
  /** For how long its yes was waited for, before it began, in ms. */
  readonly waited: number
  /** What the tool itself asked of a model. */
  readonly usage?: Usage
  readonly error?: string
}

type Open = {
  readonly tool: string
  called: number
  executing?: number
  /** When it was last asked, and what for. */
  asked?: { at: number; kind: 'approval' | 'output' }
  /** When its client gave the output. */
  given?: number
  waited: number
}

/** The calls of a run, from the log: each is over with its outcome. */
export function calls(): { take(entry: LogEntry): readonly ToolDone[] } {
  const open = new Map<string, Open>()
  return {
    take({ event, at }) {
      if (!('callId' in event)) return []
      const { callId } = event
      if (event.type === 'tool.started' || event.type === 'tool.called') {
        open.set(callId, { tool: event.tool, called: at, waited: 0 })
        return []
      }
      const call = open.get(callId)
      if (!call) return []
      if (event.type === 'tool.asked') call.asked = { at, kind: event.question.kind }
      if (event.type === 'tool.executing') call.executing = at
      if (event.type === 'tool.answered') answered(call, at)
      if (event.type !== 'tool.returned' && event.type !== 'tool.failed') return []
      open.delete(callId)
      return [
        {
          type: 'tool',
          callId,
          tool: call.tool,
          ...whenAndWhere(call, at),
          waited: call.waited,
          ...(event.usage && { usage: event.usage }),
          ...(event.type === 'tool.failed' && { error: event.failure.code }),
        },
      ]
    },
  }
}

function answered(call: Open, at: number): void {
  if (call.asked?.kind === 'output') call.given = at
  else if (call.asked) call.waited += at - call.asked.at
}

function whenAndWhere(call: Open, at: number): Pick<ToolDone, 'side' | 'start' | 'end'> {
  const { executing, asked, given, called } = call
  if (executing !== undefined) return { side: 'server', start: executing, end: at }
  if (asked?.kind === 'output') return { side: 'client', start: asked.at, end: given ?? at }
  return { side: 'none', start: called, end: at }
}
