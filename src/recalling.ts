import type { Machine, Recalled } from './agent/index.ts'
import type { FoundMessage, Talk } from './threads/index.ts'

/** What was said in a user's conversations, for tools of theirs. */
export function recalling({ search, projector }: Pick<Talk, 'search' | 'projector'>): Machine['search'] {
  return async ({ userId, words, limit }) => {
    await projector.catchUp()
    const { messages } = await search.find(userId, { query: words, limit })
    return messages.map(toRecalled)
  }
}

function toRecalled({ thread: { id, agent, title }, role, at: said, snippet }: FoundMessage): Recalled {
  const named = title === undefined ? {} : { title }
  return { conversation: id, agent, ...named, role, text: snippet.text, said }
}
