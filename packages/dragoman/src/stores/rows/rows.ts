import { ServiceError } from '../../errors.ts'
import { isStructural, type LogEntry, type Run, type RunEvent, type RunSummary } from '../../events/index.ts'
import { isHandedOver, type RunState } from '../../log/index.ts'

/** A row of `run_states`, and what its run never changes of itself but for the request, which may be large. */
export type StoredState = {
  num: number
  id: string
  thread_id: string
  user_id: string
  message_id: string
  agent: string
  created_at: number
  status: string
  epoch: number
  crashes: number
  /** As of the last change of structure. */
  last_seq: number
  last_at: number
  /** As of now; null where there is no log. */
  end_seq: number | null
  end_at: number | null
  owner: string | null
  open_calls: number
  waiting_until: number
  changed: number
  /** In which form the log is kept: see `FORM`. */
  form: number
}

/** A row of `runs` with its row of `run_states`. */
export type StoredRun = StoredState & {
  parent_id: string | null
  run_key: string | null
  request: string
  reply: string
  on_crash: string
}

/** As it was written; packed, but for what tells how the message is built; gone. */
export const FORM = { written: 0, packed: 1, pruned: 2 } as const

export type StoredEntry = {
  seq: number
  at: number
  kind: number
  part: number | string | null
  body: string
}

export function toRun(row: StoredRun): Run {
  return {
    ...toSummary(row),
    ...(row.parent_id !== null && { parentId: row.parent_id }),
    ...(row.run_key !== null && { key: row.run_key }),
    request: JSON.parse(row.request) as Run['request'],
    reply: JSON.parse(row.reply) as Run['reply'],
    onCrash: row.on_crash as Run['onCrash'],
  }
}

export function toSummary(row: StoredState): RunSummary {
  return {
    id: row.id,
    threadId: row.thread_id,
    userId: row.user_id,
    agent: row.agent,
    messageId: row.message_id,
    status: row.status as Run['status'],
    epoch: row.epoch,
    crashes: row.crashes,
    lastSeq: row.end_seq ?? row.last_seq,
    createdAt: row.created_at,
    pruned: row.form === FORM.pruned,
    ...(isHandedOver(toState(row)) && { isHandedOver: true }),
  }
}

export function toState(row: StoredState): RunState {
  return {
    runId: row.id,
    status: row.status as Run['status'],
    epoch: row.epoch,
    crashes: row.crashes,
    lastSeq: row.end_seq ?? row.last_seq,
    owner: row.owner ?? undefined,
    openCalls: row.open_calls,
    waitingUntil: row.waiting_until,
  }
}

/** What stands in `kind`. 0 is what `idx_run_entries_structure` holds. */
const KIND = { structure: 0, 'text.delta': 1, 'reasoning.delta': 2, 'tool.delta': 3, other: 4 } as const

export function toColumns(runId: string, event: RunEvent): Pick<StoredEntry, 'kind' | 'part' | 'body'> {
  // Half a surrogate pair is no UTF-8: JSON escapes it.
  if ('delta' in event && !Object.values(event).every(isPlain)) return asJson(event)
  switch (event.type) {
    case 'text.delta':
    case 'reasoning.delta':
      return { kind: KIND[event.type], part: shorten(runId, event.partId), body: event.delta }
    case 'tool.delta':
      return { kind: KIND[event.type], part: shorten(runId, event.callId), body: event.delta }
    default:
      return asJson(event)
  }
}

function asJson(event: RunEvent): Pick<StoredEntry, 'kind' | 'part' | 'body'> {
  return { kind: isStructural(event) ? KIND.structure : KIND.other, part: null, body: JSON.stringify(event) }
}

export function toEntry(runId: string, createdAt: number, row: StoredEntry): LogEntry {
  return { seq: row.seq, at: createdAt + row.at, event: toEvent(runId, row) }
}

function toEvent(runId: string, { kind, part, body }: StoredEntry): RunEvent {
  switch (kind) {
    case KIND['text.delta']:
      return { type: 'text.delta', partId: lengthen(runId, part), delta: body }
    case KIND['reasoning.delta']:
      return { type: 'reasoning.delta', partId: lengthen(runId, part), delta: body }
    case KIND['tool.delta']:
      return { type: 'tool.delta', callId: lengthen(runId, part), delta: body }
    default:
      return JSON.parse(body) as RunEvent
  }
}

function shorten(runId: string, id: string): number | string {
  const rest = id.startsWith(`${runId}.`) ? id.slice(runId.length + 1) : ''
  return /^(0|[1-9]\d{0,9})$/.test(rest) ? Number(rest) : id
}

function lengthen(runId: string, part: number | string | null): string {
  return typeof part === 'number' ? `${runId}.${part}` : String(part)
}

/**
 * Whether a column gives it back as it was: half a character is not kept there, and Node before 24 reads text
 * up to its first NUL.
 */
function isPlain(value: unknown): boolean {
  return typeof value !== 'string' || (value.isWellFormed() && !value.includes('\0'))
}

/** Tells, called with one row after the other, whether they have exceeded so many bytes. */
export function exceeds(maxBytes: number): (row: Pick<StoredEntry, 'body'>) => boolean {
  let bytes = 0
  return ({ body }) => {
    if (maxBytes === Infinity) return false
    bytes += Buffer.byteLength(body)
    return bytes > maxBytes
  }
}

/** The first rows, which fit into so many bytes together. @throws ServiceError `too-large` if the first does not */
export function fitting<Row>(
  rows: readonly Row[],
  maxBytes: number,
  bytesOf: (row: Row) => number,
): readonly Row[] {
  if (maxBytes === Infinity) return rows
  let bytes = 0
  const end = rows.findIndex((row) => (bytes += bytesOf(row)) > maxBytes)
  if (end === 0)
    throw new ServiceError('too-large', `The next entry has ${bytes} bytes.`, { details: { bytes } })
  return end < 0 ? rows : rows.slice(0, end)
}
