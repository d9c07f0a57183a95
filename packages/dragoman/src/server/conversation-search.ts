import type { AgentServices, MessageHit } from '../agents/index.ts'
import type { Store } from '../log/index.ts'
import type { FoundMessage, ThreadServices } from '../threads/index.ts'

/** Searches a user's conversations for tools, without the messages of the current run. */
export function createConversationSearch(
  { search, projector }: Pick<ThreadServices, 'search' | 'projector'>,
  store: Pick<Store, 'get'>,
): AgentServices['searchMessages'] {
  return async ({ userId, words, limit, besides }) => {
    await projector.catchUp(userId)
    const run = await store.get(besides)
    const ownMessages = [run?.messageId, run?.request.messageId]
    const { messages } = await search.find(userId, { query: words, limit: limit + ownMessages.length })
    return messages
      .filter(({ messageId }) => !ownMessages.includes(messageId))
      .slice(0, limit)
      .map(toRecalled)
  }
}

function toRecalled({ thread: { id, agent, title }, role, at: said, snippet }: FoundMessage): MessageHit {
  const titleField = title === undefined ? {} : { title }
  return { threadId: id, agent, ...titleField, role, text: snippet.text, sentAt: said }
}
