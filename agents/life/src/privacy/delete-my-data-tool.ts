import { z } from 'zod'

import { defineTool, type AgentServices, type Tool } from 'dragoman/agents'
import { isGuest } from 'dragoman/events'
import { readContext } from '../context.ts'
import type { Phrase } from '../language.ts'
import { cardResult } from '../tools/card-result.ts'
import { cardLanguage } from '../tools/card-language.ts'
import type { ErasedCounts } from './erase-user-data.ts'

type Ports = {
  readonly removeAll: (userId: string) => Promise<ErasedCounts>
  readonly machine: Pick<AgentServices, 'updateThreadContext' | 'deleteThreads'>
}

/**
 * Deletes all data of a user who confirms it. The confirmation is the user's own next message, which `settleContext`
 * reads: a model cannot
 * give it, and every protocol can carry it.
 */
export function deleteMyDataTool({ removeAll, machine }: Ports, now: () => Date): Tool {
  return defineTool({
    name: 'delete_my_data',
    description:
      'Deletes all data that is kept of the user, for good: profile with birth data, memories, greetings; for guests their conversations too. Call it when the user wants their data or account deleted (删除我的数据, 清空我的资料, "delete my data", "erase everything about me"). It is not for one memory: that is forget_memory. The first call deletes nothing and says which words the user must reply; tell them. Once they have replied with these words, call it again.',
    inputSchema: z.object({}),
    // What is gone is gone.
    idempotent: true,
    execute: async (_input, { userId, context, threadId }) => {
      const language = cardLanguage(context)
      const guest = isGuest(userId)
      const remember = (deletionAskedAt: string) =>
        machine.updateThreadContext({ userId, agent: 'life', name: threadId }, { deletionAskedAt })
      if (readContext(context).deletion !== 'confirmed') {
        await remember(now().toISOString())
        const text = (guest ? asksGuest : asks)[language]
        return cardResult({ status: 'asking', cardType: 'data_deletion', deleted: false }, text)
      }
      const removed = await removeAll(userId)
      await remember('')
      const conversations = guest ? await machine.deleteThreads(userId, threadId) : 0
      const text = (guest ? guestDoneText : doneText)[language]
      return cardResult(
        {
          status: 'success',
          cardType: 'data_deletion',
          deleted: true,
          removed: { ...removed, conversations },
        },
        text,
      )
    },
  })
}

const asks: Phrase = {
  zh: '这会永久删除你的个人资料（包括出生信息）、全部记忆和问候记录，删除后无法恢复。对话不在其中，可以在对话列表里逐个删除。要继续，请回复“确认删除”。',
  en: 'This deletes your profile with your birth data, all memories and greetings, for good. Conversations are not part of it: you can delete them one by one in your list. To go on, reply “confirm delete”.',
}
const asksGuest: Phrase = {
  zh: '这会永久删除你的个人资料（包括出生信息）、全部记忆、问候记录和所有对话，删除后无法恢复。要继续，请回复“确认删除”。',
  en: 'This deletes your profile with your birth data, all memories, greetings and conversations, for good. To go on, reply “confirm delete”.',
}
const doneText: Phrase = {
  zh: '你的个人资料、出生信息、记忆和问候记录都已永久删除。',
  en: 'Your profile, birth data, memories and greetings are deleted for good.',
}
const guestDoneText: Phrase = {
  zh: '你的个人资料、出生信息、记忆、问候记录和其他对话都已永久删除。这段对话会在这条回答结束后删除。',
  en: 'Your profile, birth data, memories, greetings and other conversations are deleted for good. This conversation is deleted once this answer has ended.',
}
