import { z } from 'zod'

import { defineTool, type Tool, type ToolResult } from 'dragoman/agents'
import { isServiceError } from 'dragoman/errors'
import { toSingleLine } from '@dragoman/agent-kit/text/to-single-line'
import type { Language } from '../language.ts'
import { cardResult } from '../tools/card-result.ts'
import { memoryTypes, MAX_MEMORY_LENGTH, type Memories, type SaveResult } from './memory.ts'
import { secretKinds } from './find-secret.ts'
import { languageFor, memoryOff, quoteMemory, refusals, typeNames } from './memory-texts.ts'

const input = z.object({
  content: z
    .string()
    .transform((text) => toSingleLine(text))
    .pipe(z.string().min(1).max(MAX_MEMORY_LENGTH))
    .describe("One thing, in one sentence, in the user's language: true later, too, and understood alone."),
  type: z.enum(memoryTypes),
  importance: z.int().min(1).max(5).optional().describe('1 to 5; 3 unless told.'),
})

/** Lets the agent keep something for later conversations. */
export function saveMemoryTool(memories: Memories): Tool {
  return defineTool({
    name: 'save_memory',
    description:
      'Keeps one thing about the user for later conversations. Call it when the user asks to remember something (记住, 别忘了, remember that) or says something of lasting weight: a goal, a preference, an event of their life. Never for passwords, keys, numbers of cards or documents, nor for what is only guessed.',
    inputSchema: input,
    idempotent: true,
    execute: async ({ content, type, importance }, call) => {
      const language = languageFor(call.context, content)
      try {
        const saved = await memories.save(call.userId, {
          content,
          type,
          ...(importance !== undefined && { importance }),
          from: { conversation: call.threadId, run: call.runId },
          key: call.idempotencyKey,
        })
        return savedResult(saved, language)
      } catch (error) {
        return refusalResult(error, language)
      }
    },
  })
}

/** So much of it stands on a card's face. */
const MAX_SUMMARY_LENGTH = 80

function savedResult({ memory, same, dropped }: SaveResult, language: Language): ToolResult {
  const { id, content, type, importance } = memory
  const quote = quoteMemory(memory)
  const kind = typeNames[type][language]
  const words = {
    en: `${same ? 'Already known, and brought up to date' : 'Remembered'}: ${quote} (${kind}).`,
    zh: `${same ? '之前已经记过，这次更新了' : '已记住'}：${quote}（${kind}）。`,
  }[language]
  const droppedText = dropped && {
    en: `To make room, ${quoteMemory(dropped)} was forgotten.`,
    zh: `为了腾出位置，忘掉了${quoteMemory(dropped)}。`,
  }
  const text = [words, ...(droppedText ? [droppedText[language]] : [])].join(language === 'zh' ? '' : ' ')
  const summary = toSingleLine(content, MAX_SUMMARY_LENGTH)
  return cardResult(
    {
      status: 'success',
      cardType: 'memory_saved',
      saved: true,
      id,
      summary,
      memoryType: type,
      importance,
      same,
      ...(dropped && { dropped: { id: dropped.id, content: dropped.content } }),
    },
    text,
  )
}

/** What is not kept is told as an outcome, which the model passes on: there is nothing to try again. */
function refusalResult(error: unknown, language: Language): ToolResult {
  const isOff = isServiceError(error, 'forbidden')
  const kind = isServiceError(error)
    ? secretKinds.find((each) => each === error.details['secret'])
    : undefined
  if (!isOff && kind === undefined) throw error
  const text = (kind ? refusals[kind] : memoryOff)[language]
  return cardResult({ status: 'error', cardType: 'memory_saved', saved: false, error: text }, text)
}
