import { sql } from 'kysely'

import { turnBetween } from '../async/index.ts'
import { isServiceError } from '../errors.ts'
import {
  emptyMessage,
  fold,
  isJsonObject,
  type AssistantMessage,
  type LogEntry,
  type Run,
  type RunSummary,
} from '../events/index.ts'
import { eventSize, FIRST_SEQ, type Store } from '../log/index.ts'
import { MESSAGE_COLUMNS, toAssistantMessage } from './message-rows.ts'
import { openCalls } from './open-calls.ts'
import type { ThreadDatabase } from './tables.ts'
import { MESSAGE_BYTES } from './thread-storage.ts'

const PAGE = 1000
/** A log may be a little larger than its run may produce: users write into it, too. */
const LOG_FACTOR = 2
/** The JSON of a message is larger than its log, as it escapes characters. */
const ROW_FACTOR = 3

type Source = {
  readonly tables: ThreadDatabase
  readonly store: Pick<Store, 'read' | 'get'>
  /** What a run may produce, in bytes. A message that is much larger becomes a note. */
  readonly maxRunBytes: number
}

/** A run's message up to the end of its log, as far as that was read. */
export type Progress = {
  readonly message: AssistantMessage
  readonly last: Pick<LogEntry, 'seq' | 'at'>
  /** When each call was asked, for the questions since the last projection. */
  readonly askedAt: ReadonlyMap<string, number>
  /** The run's row as it was before; undefined if there was none. */
  readonly before: RowBefore | undefined
  /** The run with its request, which may be large, if it has no row yet. */
  readonly fullRun: Run | undefined
}

/** What a run's log says. */
type Reading = Omit<Progress, 'before' | 'fullRun'>

export type RowBefore = {
  /** The last entry that it has. */
  readonly seq: number
  readonly bytes: number
  /** Whether questions of the run may be stored. */
  readonly mayAsk: boolean
}

/**
 * Reads the entries after the ones in the run's row, if there are any. A row or log that is too large is not read: what
 * has filled the memory of one process would fill that of the next.
 */
export async function readProgress(
  source: Source,
  run: RunSummary,
  isNew = false,
): Promise<Progress | undefined> {
  const row = isNew ? undefined : await readRow(source, run)
  if (row && row.before.seq >= run.lastSeq) return undefined
  if (row && !row.message) return { ...(await readNote(source, run)), before: row.before, fullRun: undefined }
  await turnBetween(row?.before.bytes ?? 0)
  const message = row?.message ?? emptyMessage(run.messageId)
  const [read, fullRun] = await Promise.all([
    readEntries(source, run, { message, after: row?.before.seq ?? FIRST_SEQ }),
    row ? undefined : source.store.get(run.id),
  ])
  // The thread was deleted meanwhile.
  if (!row && !fullRun) return undefined
  return { ...(read ?? (await readNote(source, run))), before: row?.before, fullRun }
}

type ProjectedRow = { readonly before: RowBefore; readonly message?: AssistantMessage }

/** Without its message if that is too large, or has all that its run has said. */
async function readRow(
  { tables, maxRunBytes }: Source,
  { messageId, lastSeq }: RunSummary,
): Promise<ProjectedRow | undefined> {
  const ofRun = tables.selectFrom('chat_messages').where('id', '=', messageId)
  const isSmall = sql<boolean>`octet_length(parts) <= ${maxRunBytes * ROW_FACTOR}`
  const columns = [...MESSAGE_COLUMNS, MESSAGE_BYTES.as('bytes')] as const
  const isBehind = ofRun.where('projected_seq', '<', lastSeq)
  const row = await isBehind.select(columns).where(isSmall).executeTakeFirst()
  if (row) {
    const message = toAssistantMessage(row)
    const before = { seq: row.projected_seq, bytes: row.bytes, mayAsk: openCalls(message).length > 0 }
    return { before, message }
  }
  const place = await ofRun.select(['projected_seq as seq', MESSAGE_BYTES.as('bytes')]).executeTakeFirst()
  return place && { before: { ...place, mayAsk: true } }
}

/** Undefined if the log is too large. */
async function readEntries(
  { store, maxRunBytes }: Source,
  run: RunSummary,
  { message: before, after }: { readonly message: AssistantMessage; readonly after: number },
): Promise<Reading | undefined> {
  let message = before
  let last = { seq: after, at: run.createdAt }
  let room = maxRunBytes * LOG_FACTOR
  const askedAt = new Map<string, number>()
  // A live run may have written more meanwhile. The next pass reads it.
  while (last.seq < run.lastSeq) {
    const entries = await readPage(store, run.id, last.seq, room)
    for (const { event, at } of entries) {
      message = fold(message, event)
      room -= eventSize(event)
      if (event.type === 'tool.asked') askedAt.set(event.callId, at)
    }
    if (entries.length === 0 || room < 0) return undefined
    last = entries.at(-1) ?? last
  }
  return { message, last, askedAt }
}

/** Nothing if the next entry alone is larger than the room. */
async function readPage(
  store: Source['store'],
  runId: string,
  after: number,
  maxBytes: number,
): Promise<readonly LogEntry[]> {
  try {
    return await store.read(runId, after, { limit: PAGE, joined: true, maxBytes })
  } catch (error) {
    if (isServiceError(error, 'too-large')) return []
    throw error
  }
}

/** What a message says in place of itself, and how its run has ended. */
async function readNote({ store, maxRunBytes }: Source, run: RunSummary): Promise<Reading> {
  const [end] = await readPage(store, run.id, run.lastSeq - 1, maxRunBytes)
  const context = (await store.get(run.id))?.request.context
  const language = isJsonObject(context) ? context['language'] : undefined
  const isChinese = typeof language === 'string' && language.startsWith('zh')
  const text = isChinese
    ? '这次回答太长，没有保存在对话里。'
    : 'This answer was too large, and is not kept in the conversation.'
  const part = { type: 'text', partId: `${run.id}.note`, text, open: false } as const
  const note: AssistantMessage = { ...emptyMessage(run.messageId), parts: [part] }
  return {
    message: end ? fold(note, end.event) : note,
    last: { seq: run.lastSeq, at: end?.at ?? run.createdAt },
    askedAt: new Map(),
  }
}
