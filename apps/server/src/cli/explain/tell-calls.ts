import type { RunEvent } from 'dragoman/events'
import { failureSentence } from './failure-sentence.ts'
import { shorten } from './names.ts'

type CallEvent = Extract<RunEvent, { type: `tool.${string}` }>
type Call = { readonly tool: string; startedAt?: number }

export function isCall(event: RunEvent): event is CallEvent {
  return event.type.startsWith('tool.')
}

/** What the entries of calls say, in their order: never what went in or came out. */
export function createCallTeller(userId: string): { tell(at: number, event: CallEvent): string | undefined } {
  const calls = new Map<string, Call>()
  return {
    tell(at, event) {
      if (event.type === 'tool.called') {
        const tool = shorten(event.tool)
        calls.set(event.callId, { tool })
        return event.by ? `The provider ran its tool ${tool}.` : `The model called the tool ${tool}.`
      }
      const call = calls.get(event.callId)
      if (event.type === 'tool.executing' && call) call.startedAt = at
      return tellCall(event, { tool: call?.tool ?? 'a tool', ...timeOf(call, at) }, userId)
    },
  }
}

function timeOf(call: Call | undefined, at: number): { readonly time: string } {
  return {
    time: call?.startedAt === undefined ? '' : ` after ${((at - call.startedAt) / 1000).toFixed(1)} s`,
  }
}

function tellCall(
  event: CallEvent,
  { tool, time }: { readonly tool: string; readonly time: string },
  userId: string,
): string | undefined {
  switch (event.type) {
    case 'tool.asked':
      return `${tool} waits for ${QUESTIONS[event.question.kind]}.`
    case 'tool.answered':
      return `${event.by === userId ? 'Its user' : 'Another user'} ${tellAnswer(event.answer)} ${tool}.`
    case 'tool.executing':
      return `The server began to run ${tool}.`
    case 'tool.returned':
      return `${tool} returned${time}.`
    case 'tool.failed':
      return `${tool} failed${time} (${shorten(event.failure.code)}): ${failureSentence(event.failure.code)}.`
    default:
      return undefined
  }
}

const QUESTIONS = {
  approval: "its user's approval",
  output: "its output from the user's client",
  form: 'a form that its user fills in',
} as const

function tellAnswer(answer: Extract<CallEvent, { type: 'tool.answered' }>['answer']): string {
  if (answer.kind === 'approval') return answer.approved ? 'approved' : 'declined'
  return answer.kind === 'error' ? 'could not run' : 'answered'
}
