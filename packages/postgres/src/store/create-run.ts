import type { NewRun, Run } from 'dragoman/events'
import { newState, threadBusy, toRun } from 'dragoman/stores'

import type { KnownRun } from './known-runs.ts'
import { RUN, type RunRow } from './run-rows.ts'
import { NOW } from './schema.ts'
import type { Sql } from './sql.ts'

type Created = {
  readonly outcome: 'created' | 'known' | 'busy'
  readonly run_num: number
  readonly run_status: string
  readonly run_epoch: number
  readonly run_created_at: number
  readonly now: number
}

const CREATE = `
SELECT *, ${NOW} AS now
FROM dragoman_create_run($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)`

type Admission = {
  readonly whenBusy: 'reject' | 'queue'
  readonly owner: string | undefined
  /** Called with the state of a run that was admitted for the owner, and the database's time. */
  readonly onClaimed: (run: KnownRun, now: number) => void
}

/** Admits a run, in one statement. It may be repeated: the run's id says that it was admitted. */
export async function createRun(
  sql: Sql,
  run: NewRun,
  { whenBusy, owner, onClaimed }: Admission,
): Promise<{ run: Run; created: boolean }> {
  const { aliases = [], ...admitted } = run
  const keys = run.key === undefined ? aliases : [run.key, ...aliases]
  const { messageId, input } = run.request
  const started = JSON.stringify({ type: 'run.started', agent: run.agent, messageId, input })
  const [result] = await sql.all<Created>(
    CREATE,
    run.id,
    run.threadId,
    run.userId,
    run.messageId,
    run.agent,
    run.parentId ?? null,
    run.key ?? null,
    JSON.stringify(run.request),
    JSON.stringify(run.reply),
    run.onCrash,
    keys,
    whenBusy === 'queue',
    owner ?? null,
    started,
    run.request.place ?? null,
  )
  if (!result) throw new Error('The function dragoman_create_run returned no row.')
  if (result.outcome === 'created') {
    const { run_num: num, run_status: status, run_epoch: epoch, run_created_at: createdAt, now } = result
    if (owner !== undefined && epoch === 1) onClaimed(claimedRun(run, { num, createdAt, owner }), now)
    const state = { status: status as Run['status'], epoch, crashes: 0, lastSeq: 1, createdAt, pruned: false }
    return { run: { ...admitted, ...state }, created: true }
  }
  const [row] = await sql.all<RunRow>(`${RUN} WHERE r.num = $1`, result.run_num)
  // It was removed since.
  if (!row) return createRun(sql, run, { whenBusy, owner, onClaimed })
  if (result.outcome === 'busy') throw threadBusy(toRun(row))
  return { run: toRun(row), created: false }
}

/** The run as `dragoman_create_run` writes it. If it has changed since, its version tells at the first append. */
function claimedRun(
  { id, userId }: NewRun,
  { num, createdAt, owner }: Pick<KnownRun, 'num' | 'createdAt'> & { readonly owner: string },
): KnownRun {
  const state = { ...newState(id, 'running'), epoch: 1, lastSeq: 1, owner }
  return { num, userId, createdAt, version: 1, state, at: createdAt }
}
