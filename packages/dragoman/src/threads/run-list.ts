import { keyset, type Database } from '../database/index.ts'
import { threadTables } from './tables.ts'

export type RunPage = {
  readonly threadId?: string | undefined
  /** Only runs that have not ended. */
  readonly live?: boolean | undefined
  /** The cursor of the previous page. */
  readonly before?: string | undefined
  readonly limit: number
}

/** Finds the runs of a user's threads. The projector writes their rows; their state is in the store. */
export interface RunList {
  /**
   * Lists the ids of runs, latest first. `before` is set if there are more.
   * @throws ServiceError `invalid-request`
   */
  ids(userId: string, page: RunPage): Promise<{ ids: string[]; before?: string }>
}

export function createRunList(db: Database): RunList {
  const tables = threadTables(db)
  return {
    async ids(userId, { threadId, live, before, limit }) {
      let page = tables
        .selectFrom('conversations as c')
        .innerJoin('chat_messages as m', 'm.conversation_id', 'c.id')
        .select(['m.position', 'm.run_id'])
        .where('c.user_id', '=', userId)
        .where('m.run_id', 'is not', null)
        .where('m.role', '=', 'assistant')
      if (threadId !== undefined) page = page.where('c.id', '=', threadId)
      if (live) page = page.where('m.finish_reason', '=', 'incomplete')
      const after = pages.after(before)
      if (after) page = page.where('m.position', '<', after[0])
      const rows = await page
        .orderBy('m.position', 'desc')
        .limit(limit + 1)
        .execute()
      const { rows: shown, nextCursor } = pages.page(rows, limit)
      return {
        ids: shown.flatMap(({ run_id }) => run_id ?? []),
        ...(nextCursor !== undefined && { before: nextCursor }),
      }
    },
  }
}

const pages = keyset<{ readonly position: number }, [number]>(
  'runs',
  [0],
  ({ position }) => [position],
  'before',
)
