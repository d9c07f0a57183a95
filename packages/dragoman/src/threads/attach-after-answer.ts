import type { MessagePlace } from './find-parent-by-text.ts'
import type { ThreadDatabase } from './tables.ts'

/**
 * If the client knows a message but not its answer, the new message is attached after the latest answer. A page that
 * was reloaded in mid-answer has lost it, and its user goes on from what the answer says. As a sibling of the answer,
 * one of the two branches would be hidden.
 */
export async function attachAfterAnswer(
  tables: ThreadDatabase,
  threadId: string,
  place: MessagePlace,
): Promise<MessagePlace> {
  const { parentId, unknown } = place
  // A client that sends an answer has another one than ours.
  if (parentId === undefined || unknown[0]?.role === 'assistant') return place
  const answer = await tables
    .selectFrom('chat_messages')
    .select('id')
    .where('conversation_id', '=', threadId)
    .where('parent_id', '=', parentId)
    .where('role', '=', 'assistant')
    .orderBy('position', 'desc')
    .executeTakeFirst()
  return answer ? { parentId: answer.id, unknown } : place
}
