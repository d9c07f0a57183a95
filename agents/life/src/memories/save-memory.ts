import { z } from 'zod'

import { defineTool, type Tool, type ToolResult } from 'dragoman/agents'
import { isServiceError } from 'dragoman/errors'
import { oneLine } from '@dragoman/agent-kit/words/one-line'
import type { Language } from '../language.ts'
import { shown } from '../tools/card.ts'
import { memoryTypes, MOST_OF_ONE, type Memories, type Saved } from './memory.ts'
import { secretKinds } from './secrets.ts'
import { languageFor, memoryOff, quoted, refusals, typeNames } from './words.ts'

const input = z.object({
  content: z
    .string()
    .transform((text) => oneLine(text))
    .pipe(z.string().min(1).max(MOST_OF_ONE))
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
        return told(saved, language)
      } catch (error) {
        return refused(error, language)
      }
    },
  })
}

/** So much of it stands on a card's face. */
const MOST_OF_SUMMARY = 80

function told({ memory, same, dropped }: Saved, language: Language): ToolResult {
  const { id, content, type, importance } = memory
  const said = quoted(memory)
  const kind = typeNames[type][language]
  const words = {
    en: `${same ? 'Already known, and brought up to date' : 'Remembered'}: ${said} (${kind}).`,
    zh: `${same ? '之前已经记过，这次更新了' : '已记住'}：${said}（${kind}）。`,
  }[language]
  const gone = dropped && {
    en: `To make room, ${quoted(dropped)} was forgotten.`,
    zh: `为了腾出位置，忘掉了${quoted(dropped)}。`,
  }
  const text = [words, ...(gone ? [gone[language]] : [])].join(language === 'zh' ? '' : ' ')
  const summary = oneLine(content, MOST_OF_SUMMARY)
  return shown(
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
function refused(error: unknown, language: Language): ToolResult {
  const isOff = isServiceError(error, 'forbidden')
  const kind = isServiceError(error)
    ? secretKinds.find((each) => each === error.details['secret'])
    : undefined
  if (!isOff && kind === undefined) throw error
  const text = (kind ? refusals[kind] : memoryOff)[language]
  return shown({ status: 'error', cardType: 'memory_saved', saved: false, error: text }, text)
}
