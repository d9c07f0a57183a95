import type { LanguageModelV4Message, LanguageModelV4Prompt } from '@ai-sdk/provider'

import { nameFile } from '../events/index.ts'

type Assistant = Extract<LanguageModelV4Message, { role: 'assistant' }>
type File = Extract<Assistant['content'][number], { type: 'file' }>

/**
 * The messages for an API that takes no files in answers: those that its model made follow the answer, and the
 * outcomes of its calls, in a message of the user. So the model can change the picture that it made.
 */
export function moveAnswerFiles(prompt: LanguageModelV4Prompt): LanguageModelV4Prompt {
  const moved: LanguageModelV4Prompt = []
  let files: readonly File[] = []
  const addFiles = (): void => {
    if (files.length > 0) moved.push({ role: 'user', content: files.flatMap(named) })
    files = []
  }
  for (const message of prompt) {
    if (message.role !== 'tool') addFiles()
    if (message.role !== 'assistant') {
      moved.push(message)
      continue
    }
    files = message.content.filter((part) => part.type === 'file')
    const rest = message.content.filter((part) => part.type !== 'file')
    // An answer of nothing is refused.
    const text = files.map((file) => nameFile(file, 'It follows.')).join('\n')
    moved.push(
      files.length > 0 && rest.length === 0
        ? { ...message, content: [{ type: 'text', text }] }
        : { ...message, content: rest },
    )
  }
  addFiles()
  return moved
}

function named(file: File): [{ type: 'text'; text: string }, File] {
  return [{ type: 'text', text: nameFile(file, 'You made it.') }, file]
}
