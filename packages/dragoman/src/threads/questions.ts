import { keyset, type Database } from '../database/index.ts'
import type { Json } from '../events/index.ts'
import { threadTables, type QuestionRow } from './tables.ts'

/** A call that waits for an approval, or for an output of the client. Times are ISO 8601. */
export type OpenQuestion = {
  readonly callId: string
  readonly runId: string
  readonly threadId: string
  readonly agent: string
  readonly tool: string
  readonly input: Json
  readonly kind: 'approval' | 'output'
  readonly askedAt: string
  readonly expiresAt?: string
}

export type QuestionPage = {
  readonly threadId?: string | undefined
  /** The cursor of the previous page. */
  readonly before?: string | undefined
  readonly limit: number
}

/**
 * Finds open questions. The projector writes their rows; when an answer comes, the run's log decides whether a
 * question is open.
 */
export interface Questions {
  /**
   * Lists open questions without the expired ones, latest first. `before` is set if there are more.
   * @throws ServiceError `invalid-request`
   */
  list(userId: string, page: QuestionPage): Promise<{ questions: OpenQuestion[]; before?: string }>
  /** The number of waiting runs of all users. */
  runs(): Promise<number>
}

export function createQuestions(db: Database): Questions {
  const tables = threadTables(db)
  return {
    async list(userId, { threadId, before, limit }) {
      const now = new Date().toISOString()
      let page = tables
        .selectFrom('questions')
        .selectAll()
        .where('user_id', '=', userId)
        .where((is) => is.or([is('expires_at', 'is', null), is('expires_at', '>', now)]))
      if (threadId !== undefined) page = page.where('conversation_id', '=', threadId)
      const after = pages.after(before)
      if (after) page = page.where((is) => is(is.refTuple('asked_at', 'call_id'), '<', is.tuple(...after)))
      const rows = await page
        .orderBy('asked_at', 'desc')
        .orderBy('call_id', 'desc')
        .limit(limit + 1)
        .execute()
      const { rows: shown, nextCursor } = pages.page(rows, limit)
      return {
        questions: shown.map(toQuestion),
        ...(nextCursor !== undefined && { before: nextCursor }),
      }
    },
    async runs() {
      const { count } = await tables
        .selectFrom('questions')
        .select(({ fn }) => fn.count<number>('run_id').distinct().as('count'))
        .where((is) => is.or([is('expires_at', 'is', null), is('expires_at', '>', new Date().toISOString())]))
        .executeTakeFirstOrThrow()
      return count
    },
  }
}

/** A cursor is a sort key, not an id: its question may have been answered since. */
const pages = keyset('questions', ['', ''], (row: QuestionRow) => [row.asked_at, row.call_id], 'before')

function toQuestion(row: QuestionRow): OpenQuestion {
  return {
    callId: row.call_id,
    runId: row.run_id,
    threadId: row.conversation_id,
    agent: row.agent,
    tool: row.tool,
    input: JSON.parse(row.input) as Json,
    kind: row.kind as OpenQuestion['kind'],
    askedAt: row.asked_at,
    ...(row.expires_at !== null && { expiresAt: row.expires_at }),
  }
}
