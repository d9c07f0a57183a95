import { z } from 'zod'

import { defineTool, type AgentServices, type Tool } from 'dragoman/agents'
import { isGuest } from 'dragoman/events'
import { readContext } from '../context.ts'
import { cardResult } from '../tools/card-result.ts'
import { cardLanguage } from '../tools/card-language.ts'
import type { ErasedCounts } from './erase-user-data.ts'
import texts from './privacy-texts.json' with { type: 'json' }

type Ports = {
  readonly removeAll: (userId: string) => Promise<ErasedCounts>
  readonly services: Pick<AgentServices, 'updateThreadContext' | 'deleteThreads'>
}

/**
 * Deletes all data of a user who confirms it. The confirmation is the user's own next message, which `contextResolver`
 * reads: a model cannot give it, and every protocol can carry it.
 */
export function deleteMyDataTool({ removeAll, services }: Ports, now: () => Date): Tool {
  return defineTool({
    name: 'delete_my_data',
    description:
      'Deletes all data that is kept of the user, for good: profile with birth data, memories, greetings; for ' +
      'guests their conversations too. Call it when the user wants their data or account deleted (删除我的数据, 清空我的资料, ' +
      '"delete my data", "erase everything about me"). It is not for one memory: that is forget_memory. The first ' +
      'call deletes nothing and says which words the user must reply; tell them. Once they have replied with these ' +
      'words, call it again.',
    inputSchema: z.object({}),
    idempotent: true,
    execute: async (_input, { userId, context, threadId }) => {
      const language = cardLanguage(context)
      const guest = isGuest(userId)
      const remember = (deletionAskedAt: string) =>
        services.updateThreadContext({ userId, agent: 'life', name: threadId }, { deletionAskedAt })
      if (readContext(context).deletion !== 'confirmed') {
        await remember(now().toISOString())
        const text = (guest ? texts.askGuest : texts.ask)[language]
        return cardResult({ status: 'asking', cardType: 'data_deletion', deleted: false }, text)
      }
      const removed = await removeAll(userId)
      await remember('')
      const conversations = guest ? await services.deleteThreads(userId, threadId) : 0
      const text = (guest ? texts.guestDone : texts.done)[language]
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
