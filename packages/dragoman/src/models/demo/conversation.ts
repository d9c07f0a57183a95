import type { LanguageModelV4Message, LanguageModelV4Prompt } from '@ai-sdk/provider'

import { CUT_OFF_NOTICE, isServerNote } from '../../events/index.ts'
import type { DemoLanguage } from './script.ts'

/** The result of a tool call. */
export type Result = { readonly tool: string; readonly ok: boolean; readonly text: string }

/** A prompt as the demo model has read it. */
export type Conversation = {
  /** The user's last message, without the lines about the client's context before it. */
  readonly message: string
  readonly language: DemoLanguage
  /** Whether the thread has no answer before this one. */
  readonly isFirst: boolean
  /** The results of the calls for this message. */
  readonly results: readonly Result[]
  /** The text of the answer so far: empty, except before a further step and after a crash. */
  readonly textSoFar: string
  /** The number of tool calls in the whole prompt, so that the id of the next call is new. */
  readonly callCount: number
}

export function readConversation(prompt: LanguageModelV4Prompt): Conversation {
  const at = prompt.findLastIndex(isUserMessage)
  const answer = prompt.slice(at + 1)
  const messages = prompt.filter(isUserMessage).map(messageText)
  return {
    message: messages.at(-1) ?? '',
    language: promptLanguage(prompt) ?? messages.map(textLanguage).findLast(Boolean) ?? 'en',
    isFirst: !prompt.slice(0, Math.max(at, 0)).some(({ role }) => role === 'assistant'),
    results: answer.flatMap(toolResults),
    textSoFar: answer.flatMap((message) => (message.role === 'assistant' ? textParts(message) : [])).join(''),
    callCount: prompt.flatMap(({ role, content }) =>
      role === 'assistant' ? content.filter(({ type }) => type === 'tool-call') : [],
    ).length,
  }
}

/** The server writes its notes in the user's role. */
function isUserMessage(message: LanguageModelV4Message): boolean {
  if (message.role !== 'user') return false
  const text = messageText(message)
  return text !== CUT_OFF_NOTICE && !isServerNote(text)
}

/** The lines about the client's context are a part of their own before the message. */
function messageText(message: LanguageModelV4Message): string {
  return textParts(message).at(-1)?.trim() ?? ''
}

function textParts({ content }: LanguageModelV4Message): string[] {
  if (typeof content === 'string') return [content]
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : []))
}

function toolResults({ role, content }: LanguageModelV4Message): Result[] {
  if (role !== 'tool') return []
  return content.flatMap((part): Result[] => {
    if (part.type !== 'tool-result') return []
    const { toolName: tool, output } = part
    const ok = !output.type.startsWith('error') && output.type !== 'execution-denied'
    const value = output.type === 'execution-denied' ? (output.reason ?? '') : output.value
    return [{ tool, ok, text: (typeof value === 'string' ? value : JSON.stringify(value)).trim() }]
  })
}

/** Chinese if it has a Chinese character. Undefined if it has no letters. */
function textLanguage(text: string): DemoLanguage | undefined {
  if (/\p{Script=Han}/u.test(text)) return 'zh'
  return /\p{L}/u.test(text) ? 'en' : undefined
}

function promptLanguage(prompt: LanguageModelV4Prompt): DemoLanguage | undefined {
  const system = prompt.flatMap((message) => (message.role === 'system' ? textParts(message) : [])).join('\n')
  const [, name] = /^Answer in (Chinese|English)\b/m.exec(system) ?? []
  return name === undefined ? undefined : name === 'Chinese' ? 'zh' : 'en'
}
