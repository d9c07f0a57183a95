import { editedInput, type Answer, type Json, type Question, type ToolEvent } from 'dragoman/events'
import { toVerdict } from 'dragoman/protocols'
import { addMessage, type Call, type Change, type EncoderState } from './encoder-state.ts'
import type { MessageContent, ToolCall, ToolQuestion } from './wire.ts'

type Of<T extends ToolEvent['type']> = Extract<ToolEvent, { type: T }>

/** A call is asked for: as soon as its tool is named, and once more when its arguments are whole. */
export function toCallRequest(
  state: EncoderState,
  event: Of<'tool.started' | 'tool.called'>,
): readonly Change[] {
  const { callId, tool: name } = event
  const type = 'tool_call_request'
  const openIndex = state.calls.get(callId)?.open?.index
  if (event.type === 'tool.started') {
    const call = { callId, name, args: {} }
    state.calls.set(callId, { call, open: { type, index: state.count } })
    return addMessage(state, { type, value: call }, 'generating')
  }
  const call = { callId, name, args: event.input }
  state.calls.set(callId, { call })
  if (openIndex === undefined) return addMessage(state, { type, value: call }, 'generated')
  return [{ type, value: call, index: openIndex, status: 'generated' }]
}

/** What a call's further events change. */
export function toCallChanges(
  state: EncoderState,
  event: Exclude<ToolEvent, Of<'tool.started' | 'tool.called' | 'tool.delta'>>,
): readonly Change[] {
  const call = state.calls.get(event.callId)
  if (!call) return []
  switch (event.type) {
    case 'tool.asked':
      // A tool at work may ask.
      return [...closeCall(call), ...ask(state, call, event)]
    case 'tool.answered':
      return takeAnswer(state, call, event.answer)
    case 'tool.executing':
      return execute(state, call)
    case 'tool.progressed':
      return toProgress(call, event)
    case 'tool.returned':
    case 'tool.failed':
      state.calls.delete(event.callId)
      return [...closeCall(call), ...addMessage(state, toOutcome(call.call, event), 'generated')]
  }
}

/** The call runs with the input that its user has let it run with. */
function takeAnswer(state: EncoderState, asker: Call, reply: Answer): readonly Change[] {
  const args = editedInput(reply)
  const call = args === undefined ? asker.call : { ...asker.call, args }
  state.calls.set(call.callId, { call })
  return closeCall(asker, toAnswer(reply))
}

function ask(state: EncoderState, { call }: Call, event: Of<'tool.asked'>): readonly Change[] {
  const type = 'tool_question'
  const question = toQuestion(event.question)
  state.calls.set(call.callId, { call, open: { type, index: state.count, question } })
  return addMessage(state, { type, value: { ...call, ...question } }, 'generating')
}

/** Only a form needs its schema to be answered. */
function toQuestion({ kind, message, schema, expiresAt, preview }: Question): ToolQuestion {
  return {
    kind,
    ...(message !== undefined && { message }),
    ...(kind === 'form' && schema !== undefined && { schema }),
    ...(expiresAt !== undefined && { expiresAt }),
    ...(preview && { preview }),
  }
}

/** A call that runs again after a crash has an open start already. */
function execute(state: EncoderState, { call, open }: Call): readonly Change[] {
  const type = 'tool_execution_start'
  if (open?.type === type) return [{ ...open, type, value: call, status: 'generating' }]
  state.calls.set(call.callId, { call, open: { type, index: state.count } })
  return addMessage(state, { type, value: call }, 'generating')
}

/** Sends only the latest progress. Readers have the earlier progress, and the outcome has all output. */
function toProgress({ call, open }: Call, event: Of<'tool.progressed'>): readonly Change[] {
  if (open?.type !== 'tool_execution_start') return []
  const { delta, output } = event
  const update = {
    ...(delta !== undefined && { output: delta }),
    ...(output !== undefined && { progress: output }),
  }
  return [{ type: open.type, value: { ...call, ...update }, index: open.index, status: 'generating' }]
}

/** What was open of a call is complete, whatever comes of it. */
function closeCall({ call, open }: Call, answer?: Json): readonly Change[] {
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
    case 'form':
      return answer.output
    case 'error':
      return { error: answer.message }
  }
}

/** The outcome of a call. A failure has its message in `error` and its code in `code`. */
function toOutcome(toolCall: ToolCall, event: Of<'tool.returned' | 'tool.failed'>): MessageContent {
  if (event.type === 'tool.failed') {
    const { message: error, code } = event.failure
    return { type: 'tool_execution_error', value: { toolCall, error, code } }
  }
  const { text: result, output: data } = event
  const isMore = data !== null && data !== result
  return { type: 'tool_execution_complete', value: { toolCall, result, ...(isMore && { data }) } }
}
