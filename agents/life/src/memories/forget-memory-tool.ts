import { z } from 'zod'

import { defineTool, type Tool, type ToolResult } from 'dragoman/agents'
import type { Json } from 'dragoman/events'
import { fillIn, type Language } from '../language.ts'
import { cardLanguage } from '../tools/card-language.ts'
import { cardResult } from '../tools/card-result.ts'
import type { Memories, Memory } from './memory.ts'
import texts from './memory-texts.json' with { type: 'json' }
import { memoryCard, memoryLine, quoteMemory } from './memory-texts.ts'

const MAX_CANDIDATES = 10

const input = z
  .object({
    id: z.string().max(64).optional().describe('Of one memory, as list_memories has it.'),
    about: z.string().max(500).optional().describe('What it is about, in the words in which it was said.'),
    all: z.boolean().optional().describe('Everything that is remembered. The user is asked for a yes.'),
  })
  .refine(({ id, about, all }) => [id, about, all === true ? all : undefined].filter(Boolean).length === 1, {
    error: 'Give one of id, about and all.',
  })

/** Deletes memories for good. */
export function forgetMemoryTool(memories: Memories): Tool {
  return defineTool({
    name: 'forget_memory',
    description:
      'Deletes what is remembered, for good: one memory by its id, or the one that is about something; or all. ' +
      'Call it when the user wants something forgotten (忘掉, 别记着, 删掉那条, forget that). Where several fit it ' +
      'deletes none and shows them: ask which is meant. Before all, say in a sentence what will be gone and that it ' +
      'waits for their yes. Say afterwards what was forgotten.',
    inputSchema: input,
    needsApproval: ({ all }) => all === true,
    idempotent: true,
    execute: async ({ id, about = '', all }, { userId, context }) => {
      const language = cardLanguage(context, about)
      if (all === true) return forgottenAll(await memories.removeAll(userId), language)
      const matches =
        id === undefined ? await memories.match(userId, about) : [await memories.find(userId, id)]
      const [memory] = matches
      if (memory === undefined) {
        const error = texts.noMatch[language]
        const card = { status: 'error', cardType: 'memory_forgotten', forgotten: [], count: 0 } as const
        return cardResult({ ...card, error }, error)
      }
      if (matches.length > 1)
        return candidates(
          matches.flatMap((each) => each ?? []),
          language,
          context,
        )
      await memories.remove(userId, memory.id)
      return cardResult(
        { status: 'success', cardType: 'memory_forgotten', forgotten: [memoryCard(memory)], count: 1 },
        fillIn(texts.forgotten, { quote: quoteMemory(memory) })[language],
      )
    },
  })
}

/** A user who says “forget me” means more than memories: the text says what remains. */
function forgottenAll(count: number, language: Language): ToolResult {
  const words = count === 0 ? texts.forgotNothing : fillIn(texts.forgotAll, { count })
  const card = { status: 'success', cardType: 'memory_forgotten', forgotten: [], count } as const
  return cardResult(card, words[language] + texts.remaining[language])
}

function candidates(matches: readonly Memory[], language: Language, context: Json): ToolResult {
  const first = matches.slice(0, MAX_CANDIDATES)
  const lines = first.map((one) => memoryLine(one, language, context))
  return cardResult(
    { status: 'asking', cardType: 'memory_list', memories: first.map(memoryCard), total: first.length },
    [texts.severalMatches[language], ...lines].join('\n'),
  )
}
