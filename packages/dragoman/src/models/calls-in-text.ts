import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'

import { ServiceError } from '../errors.ts'

type Part = LanguageModelV4StreamPart
type ReadPart = () => Promise<Part | undefined>

/** What calls are between, in the texts of Qwen and Hermes, Kimi, DeepSeek, Llama, MiniMax and Mistral. */
const MARKS: readonly (readonly [begin: string, end: string])[] = [
  ['<tool_call>', '</tool_call>'],
  ['<|tool_calls_section_begin|>', '<|tool_calls_section_end|>'],
  ['<|tool_call_begin|>', '<|tool_call_end|>'],
  ['<｜tool▁calls▁begin｜>', '<｜tool▁calls▁end｜>'],
  ['<function=', '</function>'],
  ['<minimax:tool_call>', '</minimax:tool_call>'],
  ['[TOOL_CALLS]', ']'],
]
/** A longer text is no call. */
const MAX_CHARACTERS = 50_000

/** Whether a text is nothing but calls. The end may be missing where it was a stop word. */
export function isCallText(text: string): boolean {
  const words = text.trim()
  return MARKS.some(([begin, end]) => words.startsWith(begin) && (words.endsWith(end) || words.endsWith('}')))
}

/**
 * Reads an answer. One that is nothing but calls in its text is none: its server has not read them, and nothing would
 * happen. A text that may become one is held.
 * @throws ServiceError `model-failed`
 */
export function refuseCallsInText(read: ReadPart, name: string): ReadPart {
  const parts: Part[] = []
  let words = ''
  let isOpen = true
  let isHeld = false
  return async () => {
    for (;;) {
      if (parts.length > 0 && !isHeld) return parts.shift()
      if (!isOpen) return read()
      const part = await read()
      if (part) parts.push(part)
      if (part?.type === 'text-delta') words += part.delta
      if (part?.type === 'finish' && isCallText(words)) throw callsInTextError(name, words)
      isOpen = part !== undefined && !/^(?:finish$|tool-)/.test(part.type) && mayBecomeCall(words)
      isHeld = isOpen && (words.trim() !== '' || part?.type.startsWith('text-') === true)
    }
  }
}

function mayBecomeCall(text: string): boolean {
  const words = text.trimStart().slice(0, 40)
  return (
    text.length <= MAX_CHARACTERS &&
    MARKS.some(([begin]) => words.startsWith(begin) || begin.startsWith(words))
  )
}

export function callsInTextError(name: string, words: string): ServiceError {
  const begin = words.trim().slice(0, 40)
  return new ServiceError(
    'model-failed',
    `The model ${name} wrote its call of a tool as text (${begin} …). Its server does not read the calls of this ` +
      'model: turn on its parser of tool calls, or choose another model.',
    {
      translations: {
        zh: `${name} 把工具调用写成了文字，它的服务没有识别出来。请在服务里打开工具调用的解析，或换一个模型。`,
      },
    },
  )
}
