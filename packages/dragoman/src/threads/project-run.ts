import type { Insertable, Updateable } from 'kysely'

import { repeatWhileAway, lockRows } from '../database/index.ts'
import { isServiceError } from '../errors.ts'
import {
  emptyMessage,
  fold,
  textOf,
  type AssistantMessage,
  type LogEntry,
  type Message,
  type Question,
  type Run,
  type ToolPart,
} from '../events/index.ts'
import type { Store } from '../log/index.ts'
import { toAssistantMessage, toColumns } from './message-rows.ts'
import { nextPositions } from './message-positions.ts'
import { writeMessageWords } from './message-words.ts'
import { shortenTitle } from './shorten-title.ts'
import type { MessageRow, MessageTable, ThreadDatabase, TitleBy } from './tables.ts'

const PAGE = 1000
const TITLE_LENGTH = 80

export type Projection = {
  readonly tables: ThreadDatabase
  readonly store: Store
  /** The source of a new thread's title. */
  readonly titleBy: TitleBy
  /** The length of an agent's titles in characters, if it differs from the default. */
  readonly titleLength: (agent: string) => number | undefined
}

/** Writes the rows of one run up to the end of its log. */
export async function projectRun(projecting: Projection, run: Run): Promise<void> {
  const { tables, store } = projecting
  const ofRun = tables.selectFrom('chat_messages').selectAll().where('id', '=', run.messageId)
  const row = await ofRun.executeTakeFirst()
  if (row && row.projected_seq >= run.lastSeq) return

  try {
    const progress = await readProgress(store, run, row)
    if (progress) await write(projecting, run, progress)
  } catch (error) {
    // The thread or the log was deleted meanwhile, so there is nothing to project.
    if (!isServiceError(error, 'not-found') && !isServiceError(error, 'log-pruned')) throw error
  }
}

/** Reads the entries after the ones in the row, if there are any. */
async function readProgress(
  store: Store,
  run: Run,
  row: MessageRow | undefined,
): Promise<Progress | undefined> {
  let message = row ? toAssistantMessage(row) : emptyMessage(run.messageId)
  let last: LogEntry | undefined
  const askedAt = new Map<string, number>()
  for (;;) {
    const after = last?.seq ?? row?.projected_seq ?? 0
    const entries = await store.read(run.id, after, { limit: PAGE, joined: true })
    for (const { event, at } of entries) {
      message = fold(message, event)
      if (event.type === 'tool.asked') askedAt.set(event.callId, at)
    }
    last = entries.at(-1) ?? last
    // A live run may have written more meanwhile. The next pass reads it.
    if (entries.length === 0 || (last && last.seq >= run.lastSeq)) break
  }
  return last && { message, last, askedAt, isNew: !row }
}

type Progress = {
  readonly message: AssistantMessage
  readonly last: LogEntry
  /** When each call was asked, for the questions since the last projection. */
  readonly askedAt: ReadonlyMap<string, number>
  readonly isNew: boolean
}

/** Writes all rows of a run in one transaction. A row that is further ahead stays, so it may be repeated. */
async function write(
  { tables, titleBy, titleLength }: Projection,
  run: Run,
  progress: Progress,
): Promise<void> {
  const { message, last, isNew } = progress
  const createdAt = new Date(run.createdAt).toISOString()
  const common = { conversation_id: run.threadId, timestamp: createdAt, created_at: createdAt }
  const own = { ...toColumns(message), timestamp: toIso(last.at), projected_seq: last.seq }
  const writeRows = async (trx: ThreadDatabase): Promise<void> => {
    const ofThread = trx.selectFrom('conversations').select('title').where('id', '=', run.threadId)
    const thread = await lockRows(trx, ofThread).executeTakeFirst()
    if (!thread) return
    const userTurns = isNew ? await writeTurns(trx, run, common) : []
    const [position = 0] = isNew ? await nextPositions(trx, 1) : []
    const row = {
      ...common,
      ...own,
      position,
      id: message.id,
      parent_id: run.request.messageId,
      run_id: run.id,
    }
    const stored = await (isNew ? insertAnswer(trx, row, own) : updateAnswer(trx, message.id, own))
    if (!stored) return
    await writeMessageWords(trx, [...userTurns, { position: stored.position, content: own.content }])
    await writeQuestions(trx, run, progress)
    const title = thread.title ?? titleOf(run, titleLength(run.agent))
    const change = {
      updated_at: toIso(last.at),
      ...(thread.title === null && title !== null && { title, title_by: titleBy }),
      // A new message chooses its path.
      ...(isNew && { chosen_id: message.id, archived_at: null }),
    }
    await trx.updateTable('conversations').set(change).where('id', '=', run.threadId).execute()
  }
  await repeatWhileAway(() => tables.transaction().execute(writeRows))
}

type Common = Pick<MessageRow, 'conversation_id' | 'timestamp' | 'created_at'>

type AnswerColumns = Omit<Updateable<MessageTable>, 'projected_seq'> & { readonly projected_seq: number }

/** Another process may have inserted it. A row that is further ahead stays. */
function insertAnswer(trx: ThreadDatabase, row: Insertable<MessageTable>, own: AnswerColumns) {
  const insertion = trx.insertInto('chat_messages').values(row)
  return insertion
    .onConflict((on) =>
      on.column('id').doUpdateSet(own).where('chat_messages.projected_seq', '<', own.projected_seq),
    )
    .returning('position')
    .executeTakeFirst()
}

function updateAnswer(trx: ThreadDatabase, id: string, own: AnswerColumns) {
  const update = trx.updateTable('chat_messages').set(own).where('id', '=', id)
  return update.where('projected_seq', '<', own.projected_seq).returning('position').executeTakeFirst()
}

type IndexedMessage = { readonly position: number; readonly content: string }

/** Writes the user's message, after the unknown turns of the client's history. Returns the new ones. */
async function writeTurns(
  trx: ThreadDatabase,
  { parentId, request }: Run,
  common: Common,
): Promise<readonly IndexedMessage[]> {
  const { messageId, input, sentAt } = request
  const user: Message = { role: 'user', id: messageId, parts: input, ...(sentAt !== undefined && { sentAt }) }
  const turns = [...(request.history ?? []), user]
  const positions = await nextPositions(trx, turns.length)
  const inserted: IndexedMessage[] = []
  let parent = parentId ?? null
  for (const [at, turn] of turns.entries()) {
    const client_id = turn === user ? (request.clientId ?? null) : null
    const timestamp = turn.sentAt ?? common.timestamp
    const row = {
      ...common,
      ...toColumns(turn),
      timestamp,
      id: turn.id,
      parent_id: parent,
      client_id,
      position: positions[at] ?? 0,
    }
    const { numInsertedOrUpdatedRows: isInserted } = await trx
      .insertInto('chat_messages')
      .values(row)
      .onConflict((on) => on.doNothing())
      .executeTakeFirstOrThrow()
    if (isInserted !== 0n) inserted.push(row)
    parent = turn.id
  }
  return inserted
}

/** Replaces the questions of a run by its open calls. */
async function writeQuestions(
  trx: ThreadDatabase,
  run: Run,
  { message, last, askedAt }: Progress,
): Promise<void> {
  const open = message.status === 'streaming' || message.status === 'waiting' ? openCalls(message) : []
  const ids = open.map(({ callId }) => callId)
  const ofRun = trx.deleteFrom('questions').where('run_id', '=', run.id)
  await (ids.length === 0 ? ofRun : ofRun.where('call_id', 'not in', ids)).execute()
  for (const { callId, tool, input = null, question } of open) {
    const row = {
      call_id: callId,
      run_id: run.id,
      conversation_id: run.threadId,
      user_id: run.userId,
      agent: run.agent,
      tool,
      input: JSON.stringify(input),
      kind: question.kind,
      asked_at: toIso(askedAt.get(callId) ?? last.at),
      expires_at: question.expiresAt === undefined ? null : toIso(question.expiresAt),
    }
    await trx
      .insertInto('questions')
      .values(row)
      // A call may ask a second question of another kind.
      .onConflict((on) => on.column('call_id').doUpdateSet(row).where('questions.kind', '!=', row.kind))
      .execute()
  }
}

type OpenCall = ToolPart & { readonly question: Question }

function openCalls({ parts }: AssistantMessage): OpenCall[] {
  return parts.filter(
    (part): part is OpenCall => part.type === 'tool' && part.state === 'asked' && part.question !== undefined,
  )
}

/** The first words of the message are the title until someone sets another. */
function titleOf({ request }: Run, length = TITLE_LENGTH): string | null {
  const user: Message = { role: 'user', id: request.messageId, parts: request.input }
  return shortenTitle(textOf(user).slice(0, 1000).replaceAll(/\s+/g, ' ').trim(), length) || null
}

function toIso(ms: number): string {
  return new Date(ms).toISOString()
}
