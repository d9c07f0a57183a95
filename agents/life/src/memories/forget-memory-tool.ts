import { z } from 'zod'

import { defineTool, type Tool, type ToolResult } from 'dragoman/agents'
import type { Language } from '../language.ts'
import { cardResult } from '../tools/card-result.ts'
import type { Memories, Memory } from './memory.ts'
import { memoryCard, languageFor, memoryLine, quoteMemory } from './memory-texts.ts'

const input = z
  .object({
    id: z.string().max(64).optional().describe('Of one memory, as list_memories has it.'),
    about: z.string().max(500).optional().describe('What it is about, in the words in which it was said.'),
    all: z.boolean().optional().describe('Everything that is remembered. The user is asked for a yes.'),
  })
  .refine(({ id, about, all }) => [id, about, all === true ? all : undefined].filter(Boolean).length === 1, {
    error: 'Give one of id, about and all.',
  })

/** Lets the agent forget what its user wants forgotten. It is really gone. */
export function forgetMemoryTool(memories: Memories): Tool {
  return defineTool({
    name: 'forget_memory',
    description:
      'Deletes what is remembered, for good: one memory by its id, or the one that is about something; or all. Call it when the user wants something forgotten (忘掉, 别记着, 删掉那条, forget that). Where several fit it deletes none and shows them: ask which is meant. Before all, say in a sentence what will be gone and that it waits for their yes. Say afterwards what was forgotten.',
    inputSchema: input,
    needsApproval: ({ all }) => all === true,
    idempotent: true,
    execute: async ({ id, about, all }, { userId, context }) => {
      const language = languageFor(context, about ?? '')
      if (all === true) return deletionText(await memories.removeAll(userId), language)
      const meant = await (id === undefined
        ? memories.fitting(userId, about ?? '')
        : byId(memories, userId, id))
      const [one] = meant
      if (one === undefined) return none(language)
      if (meant.length > 1) return several(meant.slice(0, MAX_CANDIDATES), language)
      await memories.remove(userId, one.id)
      return deletedResult(one, language)
    },
  })
}

const MAX_CANDIDATES = 10

async function byId(memories: Memories, userId: string, id: string): Promise<readonly Memory[]> {
  const one = await memories.find(userId, id)
  return one ? [one] : []
}

function deletedResult(memory: Memory, language: Language): ToolResult {
  const quote = quoteMemory(memory)
  const text = { en: `Forgotten for good: ${quote}.`, zh: `已经彻底忘掉：${quote}。` }[language]
  return cardResult(
    { status: 'success', cardType: 'memory_forgotten', forgotten: [memoryCard(memory)], count: 1 },
    text,
  )
}

function deletionText(count: number, language: Language): ToolResult {
  const text = {
    en:
      count === 0
        ? 'There was nothing to forget.'
        : `Everything that was remembered is forgotten: ${count} in all.`,
    zh: count === 0 ? '本来就没有记住什么。' : `记住的内容都忘掉了，一共 ${count} 条。`,
  }[language]
  return cardResult(
    { status: 'success', cardType: 'memory_forgotten', forgotten: [], count },
    text + staying[language],
  )
}

/** Who says “forget me” means more than memories. */
const staying = {
  en: ' The profile with the birth data, and conversations, are not memories: they stay until their user deletes them.',
  zh: '个人资料（包括出生信息）和对话不在记忆里，还会留着，可以另外删除。',
}

function none(language: Language): ToolResult {
  const text = {
    en: 'Nothing like that is remembered, so nothing was forgotten.',
    zh: '没有记过这样的内容，所以没有删除任何东西。',
  }[language]
  return cardResult(
    { status: 'error', cardType: 'memory_forgotten', forgotten: [], count: 0, error: text },
    text,
  )
}

function several(found: readonly Memory[], language: Language): ToolResult {
  const lead = {
    en: 'Several memories fit, and none was forgotten yet. Which one is meant?',
    zh: '有好几条都对得上，还没有删除。要忘掉哪一条？',
  }[language]
  return cardResult(
    { status: 'asking', cardType: 'memory_list', memories: found.map(memoryCard), total: found.length },
    [lead, ...found.map((one) => memoryLine(one, language))].join('\n'),
  )
}
