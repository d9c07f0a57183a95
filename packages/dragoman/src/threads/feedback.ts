import type { Database } from '../database/index.ts'
import { ServiceError } from '../errors.ts'
import type { AssistantMessage } from '../events/index.ts'
import { threadTables } from './tables.ts'
import { unlimitedStorage, type ThreadStorage } from './thread-storage.ts'

export interface Feedback {
  /**
   * Stores what a user thinks of an answer, by its id; null takes it back. The answer's row must be written.
   * @throws ServiceError `not-found` if it is no answer of the user's; `rate-limited`
   */
  give(userId: string, messageId: string, feedback: AssistantMessage['feedback'] | null): Promise<void>
}

export function createFeedback(
  db: Database,
  storage: Pick<ThreadStorage, 'mayChange'> = unlimitedStorage,
): Feedback {
  const tables = threadTables(db)
  return {
    async give(userId, messageId, feedback = null) {
      await storage.mayChange(userId)
      const ofUser = tables.selectFrom('conversations').select('id').where('user_id', '=', userId)
      const change = tables
        .updateTable('chat_messages')
        .set({ feedback })
        .where('id', '=', messageId)
        .where('role', '=', 'assistant')
        .where('conversation_id', 'in', ofUser)
      const { numUpdatedRows } = await change.executeTakeFirst()
      if (numUpdatedRows === 0n) throw new ServiceError('not-found', 'There is no such answer.')
    },
  }
}
