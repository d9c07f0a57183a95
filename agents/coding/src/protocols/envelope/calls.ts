import type { Answer, Json, ToolEvent } from 'dragoman/events'
import { toVerdict } from 'dragoman/protocols'
import { addMessage, type Call, type Change, type Memory } from './memory.ts'
import type { Said, ToolContext } from './wire.ts'

type Of<T extends ToolEvent['type']> = Extract<ToolEvent, { type: T }>

/** A call is asked for: as soon as its tool is named, and once more when its arguments are whole. */
export function toRequest(memory: Memory, event: Of<'tool.started' | 'tool.called'>): readonly Change[] {
  const { callId, tool: name } = event
  const type = 'tool_call_request'
  const begun = memory.calls.get(callId)?.open?.index
  if (event.type === 'tool.started') {
    const call = { callId, name, args: {} }
    memory.calls.set(callId, { call, open: { type, index: memory.count } })
    return addMessage(memory, { type, value: call }, 'generating')
  }
  const call = { callId, name, args: event.input }
  memory.calls.set(callId, { call })
  if (begun === undefined) return addMessage(memory, { type, value: call }, 'generated')
  return [{ type, value: call, index: begun, status: 'generated' }]
}

/** What a call's further events change. */
export function toCallChanges(
  memory: Memory,
  event: Exclude<ToolEvent, Of<'tool.started' | 'tool.called' | 'tool.delta'>>,
): readonly Change[] {
  const known = memory.calls.get(event.callId)
  if (!known) return []
  switch (event.type) {
    case 'tool.asked':
      return ask(memory, known, event)
    case 'tool.answered':
      memory.calls.set(event.callId, { call: known.call })
      return closed(known, toAnswer(event.answer))
    case 'tool.executing':
      return execute(memory, known)
    case 'tool.progressed':
      return progressed(known, event)
    case 'tool.returned':
    case 'tool.failed':
      memory.calls.delete(event.callId)
      return [...closed(known), ...addMessage(memory, toOutcome(known.call, event), 'generated')]
  }
}

function ask(memory: Memory, { call }: Call, { question }: Of<'tool.asked'>): readonly Change[] {
  const type = 'tool_question'
  memory.calls.set(call.callId, { call, open: { type, index: memory.count, question } })
  return addMessage(memory, { type, value: { ...call, ...question } }, 'generating')
}

/** One that is run once more, after a crash, has begun already. */
function execute(memory: Memory, { call, open }: Call): readonly Change[] {
  const type = 'tool_execution_start'
  if (open?.type === type) return [{ ...open, type, value: call, status: 'generating' }]
  memory.calls.set(call.callId, { call, open: { type, index: memory.count } })
  return addMessage(memory, { type, value: call }, 'generating')
}

/** Each time the last alone: what was told before is with whoever has read it, and in the outcome. */
function progressed({ call, open }: Call, event: Of<'tool.progressed'>): readonly Change[] {
  if (open?.type !== 'tool_execution_start') return []
  const { delta, output } = event
  const told = {
    ...(delta !== undefined && { output: delta }),
    ...(output !== undefined && { progress: output }),
  }
  return [{ type: open.type, value: { ...call, ...told }, index: open.index, status: 'generating' }]
}

/** What was open of a call is complete, whatever comes of it. */
function closed({ call, open }: Call, answer?: Json): readonly Change[] {
  if (!open) return []
  const { index } = open
  if (open.type !== 'tool_question') return [{ type: open.type, value: call, index, status: 'generated' }]
  const value = { ...call, ...open.question, ...(answer !== undefined && { answer }) }
  return [{ type: open.type, value, index, status: 'generated' }]
}

function toAnswer(answer: Answer): Json {
  switch (answer.kind) {
    case 'approval':
      return toVerdict(answer)
    case 'output':
      return answer.output
    case 'error':
      return { error: answer.message }
  }
}

/** How a call came out. Of a failure the words stand where a client looks for them; its code beside. */
export function toOutcome(toolCall: ToolContext, event: Of<'tool.returned' | 'tool.failed'>): Said {
  if (event.type === 'tool.failed') {
    const { message: error, code } = event.failure
    return { type: 'tool_execution_error', value: { toolCall, error, code } }
  }
  const { text: result, output: data } = event
  const isMore = data !== null && data !== result
  return { type: 'tool_execution_complete', value: { toolCall, result, ...(isMore && { data }) } }
}
