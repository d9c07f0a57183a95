import {
  isJsonObject,
  reasoningOf,
  textOf,
  type Answer,
  type AssistantMessage,
  type Json,
  type Message,
  type ToolPart,
  type UserMessage,
} from '../../events/index.ts'
import { endsInCalls } from '../ends-in-calls.ts'
import { toUserMessageData } from '../to-user-message-data.ts'
import { isAnswered, toQuestionData, toVerdict } from '../to-question-data.ts'
import { toWholeUrl } from '../whole-url.ts'
import { parseThinkingViewOptions } from '../thinking-view-options.ts'
import { toArgs } from './encode.ts'
import { toDocumentData, toFileData } from './source-lines.ts'

/** The message as `useChat` of AI SDK 4 keeps it: for `stream: false` and for histories. */
export function toDataMessage(
  message: Message,
  note: { readonly runId: string; readonly conversationId: string },
  view: Json,
): Json {
  if (message.role === 'user') return toUserMessage(message, view)
  const { showThinking } = parseThinkingViewOptions(view)
  const reasoning = showThinking ? reasoningOf(message) : ''
  const { parts, calls, data } = toParts(message, showThinking)
  const stopped = message.status === 'cancelled' ? [{ stopped: true }] : []
  return {
    id: message.id,
    role: 'assistant',
    content: message.parts.map((part) => (part.type === 'text' ? part.text : '')).join(''),
    ...(reasoning !== '' && { reasoning }),
    parts: endsInCalls(message) ? [...parts, { type: 'step-start' }] : parts,
    ...(calls.length > 0 && { toolInvocations: calls }),
    annotations: [note, ...data, ...stopped],
  }
}

function toUserMessage(message: UserMessage, view: Json): Json {
  const origin = isJsonObject(view) ? view['origin'] : undefined
  const files = message.parts.filter((part) => part.type === 'file')
  const attachments = files.map(({ url: address, mediaType: contentType, filename: name }) => {
    const url = toWholeUrl(address, typeof origin === 'string' ? origin : undefined)
    return name === undefined ? { url, contentType } : { url, contentType, name }
  })
  return {
    id: message.clientId ?? message.id,
    role: 'user',
    content: textOf(message),
    parts: message.parts.filter((part) => part.type === 'text'),
    ...(attachments.length > 0 && { experimental_attachments: attachments }),
  }
}

type Parts = { readonly parts: Json[]; readonly calls: Json[]; readonly data: Json[] }

function toParts({ parts }: AssistantMessage, showThinking: boolean): Parts {
  const messageParts: Json[] = []
  const calls: Json[] = []
  const data: Json[] = []
  let step = -1
  for (const part of parts) {
    switch (part.type) {
      case 'step':
        step += 1
        messageParts.push({ type: 'step-start' })
        break
      case 'text':
        messageParts.push({ type: 'text', text: part.text })
        break
      case 'reasoning':
        if (showThinking) messageParts.push(toReasoning(part.text))
        break
      case 'tool':
        calls.push({ step, ...toInvocation(part) })
        messageParts.push({ type: 'tool-invocation', toolInvocation: calls.at(-1) ?? {} })
        data.push(...questionsOf(part))
        break
      case 'data':
        data.push({
          type: `data-${part.name}`,
          ...(part.id !== undefined && { id: part.id }),
          data: part.value,
        })
        break
      case 'source': {
        const { sourceId: id, url, title } = part
        const source = { sourceType: 'url', id, url: url ?? '', ...(title !== undefined && { title }) }
        if (url === undefined) data.push(toDocumentData(part))
        else messageParts.push({ type: 'source', source })
        break
      }
      case 'file':
        if (part.kind === 'output') data.push(toFileData(part))
        break
      case 'custom':
        break
      case 'user':
        data.push(toUserMessageData(part))
        break
    }
  }
  return { parts: messageParts, calls, data }
}

function toReasoning(text: string): Json {
  return { type: 'reasoning', reasoning: text, details: [{ type: 'text', text }] }
}

function questionsOf({ callId, tool, input = {}, question, answer, state }: ToolPart): Json[] {
  if (!question) return []
  const open = state === 'asked' ? 'open' : 'closed'
  const questionState = isAnswered({ question, answer }) ? 'answered' : open
  const questionData = toQuestionData({ callId, tool, input, question, answer, state: questionState })
  return [{ type: 'data-question', id: callId, data: questionData }]
}

function toInvocation({ callId, tool, state, input = {}, ...part }: ToolPart): {
  readonly [key: string]: Json
} {
  const call = { toolCallId: callId, toolName: tool, args: toArgs(input) }
  switch (state) {
    case 'input':
      return { state: 'partial-call', ...call }
    case 'called':
    case 'asked':
    case 'executing':
      return { state: 'call', ...call }
    case 'answered':
      return { state: 'result', ...call, result: toResult(part.answer) }
    case 'returned':
      return { state: 'result', ...call, result: part.output ?? null }
    case 'failed':
      return { state: 'result', ...call, result: { error: part.failure?.message ?? 'It failed.' } }
  }
}

/** As the client has it that answered: with that it sends by itself once the other questions are answered too. */
function toResult(answer: Answer | undefined): Json {
  switch (answer?.kind) {
    case 'approval':
      return toVerdict(answer)
    case 'output':
    case 'form':
      return answer.output
    case 'error':
      return { error: answer.message }
    case undefined:
      return null
  }
}
