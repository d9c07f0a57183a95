import type { Json, Usage } from 'dragoman/events'
import type { AgentEvent, AgentHistoryMessage } from '../protocols/agent-events/wire.ts'

/** What an agent chat has answered so far. */
export type AgentAnswer = {
  readonly text: string
  readonly thinking: string
  /** Whether the model is at its words. */
  readonly speaking: boolean
  /** In the order in which they were called. */
  readonly tools: readonly AgentTool[]
  readonly error?: { readonly message: string; readonly code: string }
  /** Once all has been said: the conversation, to be sent as `history` with the next message. */
  readonly messages?: readonly AgentHistoryMessage[]
  readonly usage?: Usage
  /** Whether it was stopped. */
  readonly stopped?: boolean
}

/** `output` grows while it runs; then it is the whole result. */
export type AgentTool = {
  readonly id: string
  readonly name: string
  readonly input: Json
  readonly status: 'running' | 'done' | 'failed'
  readonly output: string
}

const EMPTY: AgentAnswer = { text: '', thinking: '', speaking: false, tools: [] }

/** The answer that events make, each time that it has changed. Earlier ones are never changed. */
export async function* agentAnswers(
  events: AsyncIterable<AgentEvent>,
): AsyncGenerator<AgentAnswer, void, undefined> {
  let answer = EMPTY
  for await (const event of events) {
    const next = applyEvent(answer, event)
    if (next !== answer) yield next
    answer = next
  }
}

function applyEvent(answer: AgentAnswer, event: AgentEvent): AgentAnswer {
  switch (event.type) {
    case 'content':
      return { ...answer, text: answer.text + event.content }
    case 'thinking':
      return { ...answer, thinking: answer.thinking + event.content }
    case 'thinking_start':
    case 'thinking_end':
      return { ...answer, speaking: event.type === 'thinking_start' }
    case 'tool_use': {
      const { toolId: id, toolName: name, toolInput: input } = event
      return { ...answer, tools: [...answer.tools, { id, name, input, status: 'running', output: '' }] }
    }
    case 'tool_update':
      return updateTool(answer, event.toolId, ({ output }) => ({ output: output + event.content }))
    case 'tool_result': {
      const { content: output, isError } = event
      return updateTool(answer, event.toolId, () => ({ output, status: isError ? 'failed' : 'done' }))
    }
    case 'error':
      return { ...answer, error: { message: event.message, code: event.code } }
    case 'complete': {
      const { messages, usage, stopped = false } = event
      return { ...answer, messages, usage, stopped }
    }
    case 'agent_start':
    case 'turn_end':
      return answer
  }
}

function updateTool(
  answer: AgentAnswer,
  id: string,
  change: (tool: AgentTool) => Partial<AgentTool>,
): AgentAnswer {
  return {
    ...answer,
    tools: answer.tools.map((each) => (each.id === id ? { ...each, ...change(each) } : each)),
  }
}
