import { keyset, type Database } from '../database/index.ts'
import type { Json, Run } from '../events/index.ts'
import { threadTables, type QuestionRow, type ThreadDatabase } from './tables.ts'

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
  readonly runId?: string | undefined
  /** The cursor of the previous page. */
  readonly before?: string | undefined
  readonly limit: number
}

/** What a call of a detached run asks. Times are in ms since 1970. */
export type DetachedQuestion = {
  readonly callId: string
  readonly tool: string
  readonly input: Json
  readonly kind: OpenQuestion['kind']
  readonly askedAt: number
  readonly expiresAt: number
}

/**
 * Finds open questions. The projector writes the rows of those in threads, and a detached run its own; when an answer
 * comes, the run's log decides whether a question is open.
 */
export interface Questions {
  /**
   * Lists open questions without the expired ones, latest first. `before` is set if there are more.
   * @throws ServiceError `invalid-request`
   */
  list(userId: string, page: QuestionPage): Promise<{ questions: OpenQuestion[]; before?: string }>
  /** The number of waiting runs of all users. */
  runs(): Promise<number>
  /** Lists a question of a detached run, until it is closed or expires. */
  open(run: Pick<Run, 'id' | 'threadId' | 'userId' | 'agent'>, question: DetachedQuestion): Promise<void>
  close(callId: string): Promise<void>
  /** Closes all questions of a detached run. */
  closeAll(runId: string): Promise<void>
}

/** By name: a newer version of the server may have added others to one of the two tables. */
const COLUMNS = [
  'call_id',
  'run_id',
  'conversation_id',
  'user_id',
  'agent',
  'tool',
  'input',
  'kind',
  'asked_at',
  'expires_at',
] as const

export function createQuestions(db: Database): Questions {
  const tables = threadTables(db)
  const selectOpen = (table: 'questions' | 'detached_questions') =>
    tables
      .selectFrom(table)
      .select(COLUMNS)
      .where((is) => is.or([is('expires_at', 'is', null), is('expires_at', '>', toIso(Date.now()))]))
  return {
    async list(userId, { threadId, runId, before, limit }) {
      const after = pages.after(before)
      const pageOf = (table: Parameters<typeof selectOpen>[0]) => {
        let page = selectOpen(table).where('user_id', '=', userId)
        if (threadId !== undefined) page = page.where('conversation_id', '=', threadId)
        if (runId !== undefined) page = page.where('run_id', '=', runId)
        return after
          ? page.where((is) => is(is.refTuple('asked_at', 'call_id'), '<', is.tuple(...after)))
          : page
      }
      const rows = await pageOf('questions')
        .unionAll(pageOf('detached_questions'))
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
        .selectFrom(selectOpen('questions').unionAll(selectOpen('detached_questions')).as('open'))
        .select(({ fn }) => fn.count<number>('run_id').distinct().as('count'))
        .executeTakeFirstOrThrow()
      return count
    },
    ...detachedQuestions(tables),
  }
}

function detachedQuestions(tables: ThreadDatabase): Pick<Questions, 'open' | 'close' | 'closeAll'> {
  return {
    async open({ id, threadId, userId, agent }, { callId, tool, input, kind, askedAt, expiresAt }) {
      const row = {
        call_id: callId,
        run_id: id,
        conversation_id: threadId,
        user_id: userId,
        agent,
        tool,
        input: JSON.stringify(input),
        kind,
        asked_at: toIso(askedAt),
        expires_at: toIso(expiresAt),
      }
      await tables
        .insertInto('detached_questions')
        .values(row)
        .onConflict((on) => on.column('call_id').doUpdateSet(row))
        .execute()
      // A process that died has left its questions.
      await tables.deleteFrom('detached_questions').where('expires_at', '<', toIso(Date.now())).execute()
    },
    async close(callId) {
      await tables.deleteFrom('detached_questions').where('call_id', '=', callId).execute()
    },
    async closeAll(runId) {
      await tables.deleteFrom('detached_questions').where('run_id', '=', runId).execute()
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

function toIso(ms: number): string {
  return new Date(ms).toISOString()
}
