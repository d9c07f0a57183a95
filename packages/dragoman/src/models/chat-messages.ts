import type { LanguageModelV4Message, LanguageModelV4Prompt } from '@ai-sdk/provider'

import { nameFile } from '../events/index.ts'

type User = Extract<LanguageModelV4Message, { role: 'user' }>
type Outcomes = Extract<LanguageModelV4Message, { role: 'tool' }>
type UserPart = User['content'][number]

/**
 * The messages of a request of chat completions, as strict templates of models want them: files of tools follow the
 * outcomes of a step in a message of the user, because an outcome is one text there, and no two messages of the user
 * follow each other. Words are one text.
 */
export function toChatMessages(prompt: LanguageModelV4Prompt): LanguageModelV4Prompt {
  const messages = prompt.flatMap((message) => (message.role === 'tool' ? moveFiles(message) : [message]))
  const merged: LanguageModelV4Prompt = []
  for (const message of messages) {
    const last = merged.at(-1)
    if (message.role !== 'user') merged.push(message)
    else if (last?.role !== 'user') merged.push({ ...message, content: joinTexts(message.content) })
    else merged[merged.length - 1] = { ...last, content: joinTexts([...last.content, ...message.content]) }
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
function joinTexts(content: readonly UserPart[]): UserPart[] {
  const parts: UserPart[] = []
  for (const part of content) {
    const last = parts.at(-1)
    if (last?.type === 'text' && part.type === 'text')
      parts[parts.length - 1] = { ...last, text: `${last.text}\n\n${part.text}` }
    else parts.push(part)
  }
  return parts
}
