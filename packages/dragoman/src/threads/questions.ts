import { sql } from 'kysely'

import { keyset, type Database } from '../database/index.ts'
import type { Json, Preview, Question, Run } from '../events/index.ts'
import type { QuestionRow } from './question-row.ts'
import { threadTables, type ThreadDatabase } from './tables.ts'

/** A call that waits for an approval, for a form, or for an output of the client. Times are ISO 8601. */
export type OpenQuestion = {
  readonly callId: string
  readonly runId: string
  readonly threadId: string
  readonly agent: string
  readonly tool: string
  readonly input: Json
  readonly kind: Question['kind']
  readonly message?: string
  /** The JSON schema of the form, or of the input that an approval may change. */
  readonly schema?: Json
  readonly preview?: Preview
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
  readonly message?: string
  readonly schema?: Json
  readonly preview?: Preview
  readonly askedAt: number
  readonly expiresAt: number
}

/**
 * Finds open questions. The projector writes the rows of those in threads, and a detached run its own; when an answer
 * comes, the run's log decides whether a question is open.
 */
export interface Questions {
  /**
   * Lists open questions without the expired ones, latest first: `limit` at most, and at most 256 KB of inputs, but
   * one in any case. `before` is set if there are more.
   * @throws ServiceError `invalid-request`
   */
  list(userId: string, page: QuestionPage): Promise<{ questions: OpenQuestion[]; before?: string }>
  /** The number of waiting runs of all users. */
  runs(): Promise<number>
  /** Lists a question of a detached run, until it is closed or expires. */
  open(run: Pick<Run, 'id' | 'threadId' | 'userId' | 'agent'>, question: DetachedQuestion): Promise<void>
  /** Returns the id of the user, if the question was open. */
  close(callId: string): Promise<string | undefined>
  /** Closes all questions of a detached run. Returns the id of the user, if there was one. */
  closeAll(runId: string): Promise<string | undefined>
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
  'message',
  'schema',
  'preview',
] as const

type QuestionTable = 'questions' | 'detached_questions'

/** A page is made in one piece: in so many bytes, no other request waits for it. */
const PAGE_BYTES = 256 * 1024
const bytes = sql<number>`octet_length(input) + coalesce(octet_length("schema"), 0)
  + coalesce(octet_length(preview), 0)`.as('bytes')

export function createQuestions(db: Database): Questions {
  const tables = threadTables(db)
  const selectOpen = (table: QuestionTable) =>
    tables
      .selectFrom(table)
      .where((is) => is.or([is('expires_at', 'is', null), is('expires_at', '>', toIso(Date.now()))]))
  const rowsOf = async (callIds: readonly string[]): Promise<QuestionRow[]> => {
    if (callIds.length === 0) return []
    const named = (table: QuestionTable) =>
      tables.selectFrom(table).select(COLUMNS).where('call_id', 'in', callIds)
    return named('questions')
      .unionAll(named('detached_questions'))
      .orderBy('asked_at', 'desc')
      .orderBy('call_id', 'desc')
      .execute()
  }
  return {
    async list(userId, { threadId, runId, before, limit }) {
      const after = pages.after(before)
      const pageOf = (table: QuestionTable) => {
        let page = selectOpen(table).where('user_id', '=', userId)
        if (threadId !== undefined) page = page.where('conversation_id', '=', threadId)
        if (runId !== undefined) page = page.where('run_id', '=', runId)
        return after
          ? page.where((is) => is(is.refTuple('asked_at', 'call_id'), '<', is.tuple(...after)))
          : page
      }
      const found = await pageOf('questions')
        .select(['call_id', 'asked_at', bytes])
        .unionAll(pageOf('detached_questions').select(['call_id', 'asked_at', bytes]))
        .orderBy('asked_at', 'desc')
        .orderBy('call_id', 'desc')
        .limit(limit + 1)
        .execute()
      const { rows: shown, nextCursor } = pages.page(found, Math.min(limit, countOfPage(found)))
      return {
        questions: (await rowsOf(shown.map((row) => row.call_id))).map(toQuestion),
        ...(nextCursor !== undefined && { before: nextCursor }),
      }
    },
    async runs() {
      const { count } = await tables
        .selectFrom(
          selectOpen('questions')
            .select('run_id')
            .unionAll(selectOpen('detached_questions').select('run_id'))
            .as('open'),
        )
        .select(({ fn }) => fn.count<number>('run_id').distinct().as('count'))
        .executeTakeFirstOrThrow()
      return count
    },
    ...detachedQuestions(tables),
  }
}

function detachedQuestions(tables: ThreadDatabase): Pick<Questions, 'open' | 'close' | 'closeAll'> {
  return {
    async open(
      { id, threadId, userId, agent },
      { callId, tool, input, kind, message, schema, preview, askedAt, expiresAt },
    ) {
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
        message: message ?? null,
        schema: schema === undefined ? null : JSON.stringify(schema),
        preview: preview === undefined ? null : JSON.stringify(preview),
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
      const closed = tables.deleteFrom('detached_questions').where('call_id', '=', callId)
      return (await closed.returning('user_id').execute())[0]?.user_id
    },
    async closeAll(runId) {
      const closed = tables.deleteFrom('detached_questions').where('run_id', '=', runId)
      return (await closed.returning('user_id').execute())[0]?.user_id
    },
  }
}

/** A cursor is a sort key, not an id: its question may have been answered since. */
const pages = keyset(
  'questions',
  ['', ''],
  (row: Pick<QuestionRow, 'asked_at' | 'call_id'>) => [row.asked_at, row.call_id],
  'before',
)

/** How many of these questions a page has. */
function countOfPage(questions: readonly { readonly bytes: number }[]): number {
  let sum = 0
  const count = questions.findIndex(({ bytes: each }) => (sum += each) > PAGE_BYTES)
  return count === -1 ? questions.length : Math.max(count, 1)
}

function toQuestion(row: QuestionRow): OpenQuestion {
  return {
    callId: row.call_id,
    runId: row.run_id,
    threadId: row.conversation_id,
    agent: row.agent,
    tool: row.tool,
    input: JSON.parse(row.input) as Json,
    kind: row.kind as OpenQuestion['kind'],
    ...(row.message !== null && { message: row.message }),
    ...(row.schema !== null && { schema: JSON.parse(row.schema) as Json }),
    ...(row.preview !== null && { preview: JSON.parse(row.preview) as Preview }),
    askedAt: row.asked_at,
    ...(row.expires_at !== null && { expiresAt: row.expires_at }),
  }
}

function toIso(ms: number): string {
  return new Date(ms).toISOString()
}
