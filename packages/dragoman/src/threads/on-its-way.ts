import type { Place } from './place.ts'
import type { ThreadDatabase } from './tables.ts'

/**
 * Who stands at a message of the user's has not been told of the answer that goes on: what they say meanwhile comes after it. Beside it the
 * one of the two would be lost to whoever reads the other.
 */
export async function afterWhatIsOnItsWay(
  tables: ThreadDatabase,
  threadId: string,
  place: Place,
): Promise<Place> {
  const { parentId, unknown } = place
  // One that tells of an answer has another than ours.
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
