import { z } from 'zod'

import { defineTool, type Tool, type ToolResult } from 'dragoman/agents'
import { isServiceError } from 'dragoman/errors'
import { toSingleLine } from '@dragoman/agent-kit/text/to-single-line'
import { fillIn, type Language } from '../language.ts'
import { cardLanguage } from '../tools/card-language.ts'
import { cardResult } from '../tools/card-result.ts'
import { memoryTypes, MAX_MEMORY_LENGTH, type Memories, type SaveResult } from './memory.ts'
import texts from './memory-texts.json' with { type: 'json' }
import { quoteMemory } from './memory-texts.ts'

/** The length of the summary on the card. */
const MAX_SUMMARY_LENGTH = 80

const input = z.object({
  content: z
    .string()
    .transform((text) => toSingleLine(text))
    .pipe(z.string().min(1).max(MAX_MEMORY_LENGTH))
    .describe("One thing, in one sentence, in the user's language: true later, too, and understood alone."),
  type: z.enum(memoryTypes),
  importance: z.int().min(1).max(5).optional().describe('1 to 5; 3 unless told.'),
})

/** Stores a memory for later conversations. */
export function saveMemoryTool(memories: Memories): Tool {
  return defineTool({
    name: 'save_memory',
    description:
      'Keeps one thing about the user for later conversations. Call it when the user asks to remember something ' +
      '(记住, 别忘了, remember that) or says something of lasting weight: a goal, a preference, an event of their ' +
      'life. Never for passwords, keys, numbers of cards or documents, nor for what is only guessed.',
    inputSchema: input,
    idempotent: true,
    execute: async ({ content, type, importance }, call) => {
      const language = cardLanguage(call.context, content)
      const from = { conversation: call.threadId, run: call.runId }
      const memory = { content, type, ...(importance !== undefined && { importance }), from }
      try {
        return savedResult(
          await memories.save(call.userId, { ...memory, key: call.idempotencyKey }),
          language,
        )
      } catch (error) {
        // A refusal is an outcome for the model to pass on. A failure would make it try again.
        const isRefusal = isServiceError(error) && (error.code === 'forbidden' || 'secret' in error.details)
        if (!isRefusal) throw error
        const text = error.messageIn(language)
        return cardResult({ status: 'error', cardType: 'memory_saved', saved: false, error: text }, text)
      }
    },
  })
}

function savedResult({ memory, same, dropped }: SaveResult, language: Language): ToolResult {
  const { id, content, type, importance } = memory
  const values = { quote: quoteMemory(memory), type: texts.types[type] }
  const words = fillIn(same ? texts.updated : texts.saved, values)[language]
  const more = dropped ? fillIn(texts.dropped, { quote: quoteMemory(dropped) })[language] : ''
  return cardResult(
    {
      status: 'success',
      cardType: 'memory_saved',
      saved: true,
      id,
      summary: toSingleLine(content, MAX_SUMMARY_LENGTH),
      memoryType: type,
      importance,
      same,
      ...(dropped && { dropped: { id: dropped.id, content: dropped.content } }),
    },
    words + more,
  )
}
