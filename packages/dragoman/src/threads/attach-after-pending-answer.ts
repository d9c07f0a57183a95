import type { MessagePlace } from './find-parent-by-text.ts'
import type { ThreadDatabase } from './tables.ts'

/**
 * If the client's last known message still has an answer in progress, the new message is attached after that answer.
 * As a sibling of the answer, one of the two branches would be hidden.
 */
export async function attachAfterPendingAnswer(
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
    .where('status', 'in', ['streaming', 'waiting'])
    .orderBy('position', 'desc')
    .executeTakeFirst()
  return answer ? { parentId: answer.id, unknown } : place
}
