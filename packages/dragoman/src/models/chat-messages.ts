import type { LanguageModelV4Message, LanguageModelV4Prompt } from '@ai-sdk/provider'

import { nameFile } from '../events/index.ts'

type User = Extract<LanguageModelV4Message, { role: 'user' }>
type Outcomes = Extract<LanguageModelV4Message, { role: 'tool' }>
type UserPart = User['content'][number]

/**
 * The messages of a request of chat completions, as strict templates of models want them: files of tools follow the
 * outcomes of a step in a message of the user, because an outcome is one text there, and no two messages of the user
 * follow each other.
 */
export function toChatMessages(prompt: LanguageModelV4Prompt): LanguageModelV4Prompt {
  const messages = prompt.flatMap((message) => (message.role === 'tool' ? moveFiles(message) : [message]))
  const merged: LanguageModelV4Prompt = []
  for (const message of messages) {
    const last = merged.at(-1)
    if (last?.role === 'user' && message.role === 'user')
      merged[merged.length - 1] = mergeUsers(last, message)
    else merged.push(message)
  }
  return merged
}

function moveFiles(message: Outcomes): LanguageModelV4Message[] {
  const files: UserPart[] = []
  const content = message.content.map((part) => {
    if (part.type !== 'tool-result' || part.output.type !== 'content') return part
    const texts = part.output.value.flatMap((item) => {
      if (item.type === 'text') return [item.text]
      if (item.type !== 'file') return []
      files.push({ type: 'text', text: nameFile(item, `The tool ${part.toolName} returned it.`) }, item)
      return []
    })
    const value = texts.length > 0 ? texts.join('\n') : 'Its files follow.'
    return { ...part, output: { type: 'text' as const, value } }
  })
  const outcomes = { ...message, content }
  return files.length === 0 ? [outcomes] : [outcomes, { role: 'user', content: files }]
}

/** Texts that meet become one: templates of text models take no lists. */
function mergeUsers(first: User, second: User): User {
  const [start, ...rest] = second.content
  const end = first.content.at(-1)
  if (end?.type !== 'text' || start?.type !== 'text')
    return { ...first, content: [...first.content, ...second.content] }
  const text = `${end.text}\n\n${start.text}`
  return { ...first, content: [...first.content.slice(0, -1), { ...end, text }, ...rest] }
}
