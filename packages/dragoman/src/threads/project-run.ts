import type { Insertable, Updateable } from 'kysely'

import type { FairQueue } from '../async/index.ts'
import { repeatWhileAway, lockRows } from '../database/index.ts'
import { isServiceError } from '../errors.ts'
import {
  textOf,
  type AssistantMessage,
  type Message,
  type Question,
  type Run,
  type RunSummary,
  type ToolPart,
} from '../events/index.ts'
import type { Store } from '../log/index.ts'
import { toColumns } from './message-rows.ts'
import { nextPositions } from './message-positions.ts'
import { writeMessageWords } from './message-words.ts'
import { readProgress, type Progress } from './read-progress.ts'
import {
  addThreadBytes,
  messageBytes,
  requestBytes,
  storedMessageBytes,
  type ThreadStorage,
} from './thread-storage.ts'
import { shortenTitle } from './shorten-title.ts'
import type { MessageTable, ThreadDatabase, TitleBy } from './tables.ts'
import { insertTurns, toTurn, writeHistory, type RunColumns } from './write-turns.ts'

const TITLE_LENGTH = 80

export type Projection = {
  readonly tables: ThreadDatabase
  readonly store: Store
  /** Writes histories a slice at a time, of all users in turn. */
  readonly slices: FairQueue
  readonly storage: ThreadStorage
  /** What a run may produce, in bytes. */
  readonly maxRunBytes: number
  /** The source of a new thread's title. */
  readonly titleBy: TitleBy
  /** The length of an agent's titles in characters, if it differs from the default. */
  readonly titleLength: (agent: string) => number | undefined
}

/** Writes the rows of one run up to the end of its log. */
export async function projectRun(projecting: Projection, run: RunSummary): Promise<void> {
  try {
    const progress = await readProgress(projecting, run)
    if (!progress) return
    const fullRun = progress.isNew ? await projecting.store.get(run.id) : undefined
    if (fullRun || !progress.isNew) await write(projecting, run, { ...progress, fullRun })
  } catch (error) {
    // The thread or the log was deleted meanwhile, so there is nothing to project.
    if (!isServiceError(error, 'not-found') && !isServiceError(error, 'log-pruned')) throw error
  }
}

/** `fullRun`: the run with its request, which may be large, if it has no row yet. */
type Writing = Progress & { readonly fullRun: Run | undefined }

/**
 * Writes all rows of a run, in one transaction but for its history. A row that is further ahead stays, so it may be
 * repeated.
 */
async function write(projection: Projection, run: RunSummary, progress: Writing): Promise<void> {
  const { tables, storage, titleBy, titleLength } = projection
  const { message, last, fullRun } = progress
  const createdAt = new Date(run.createdAt).toISOString()
  const common: RunColumns = { conversation_id: run.threadId, timestamp: createdAt, created_at: createdAt }
  const own = { ...toColumns(message), timestamp: toIso(last.at), projected_seq: last.seq }
  const writeRows = async (trx: ThreadDatabase): Promise<void> => {
    const ofThread = trx.selectFrom('conversations').select(['id', 'user_id', 'title'])
    const thread = await lockRows(trx, ofThread.where('id', '=', run.threadId)).executeTakeFirst()
    if (!thread) return
    const bytesBefore = await storedMessageBytes(trx, message.id)
    const request = fullRun && bytesBefore === 0 ? requestBytes(fullRun.request) : 0
    const added = fullRun ? await insertTurns(trx, run.userId, [userTurn(fullRun)], common) : 0
    const stored = await (fullRun
      ? insertAnswer(trx, await answerRow(trx, fullRun, { ...common, ...own }), own)
      : updateAnswer(trx, message.id, own))
    if (!stored) return
    await writeMessageWords(trx, run.userId, [{ position: stored.position, content: own.content }])
    await writeQuestions(trx, run, progress)
    const title = thread.title ?? (fullRun ? titleOf(fullRun, titleLength(run.agent)) : null)
    const change = {
      updated_at: toIso(last.at),
      ...(thread.title === null && title !== null && { title, title_by: titleBy }),
      // A new message chooses its path.
      ...(fullRun && { chosen_id: message.id, archived_at: null }),
    }
    await trx.updateTable('conversations').set(change).where('id', '=', run.threadId).execute()
    const bytes = added + request + messageBytes({ ...own, role: 'assistant' }) - bytesBefore
    await addThreadBytes(trx, storage, thread, { bytes, request })
  }
  if (fullRun && !(await writeHistory(projection, fullRun, common))) return
  await repeatWhileAway(() => tables.transaction().execute(writeRows))
  if (fullRun) storage.settle(run.userId, run.id)
}

/** The columns of an answer that never change, and those that do. */
async function answerRow(
  trx: ThreadDatabase,
  { id, messageId, request }: Run,
  columns: RunColumns & ReturnType<typeof toColumns> & { readonly projected_seq: number },
): Promise<Insertable<MessageTable>> {
  const [position = 0] = await nextPositions(trx, 1)
  return { ...columns, position, id: messageId, parent_id: request.messageId, run_id: id }
}

/** The user's message, after the turns of the client's history. */
function userTurn({ parentId, request }: Run): ReturnType<typeof toTurn> {
  const { messageId, input, sentAt, history = [], clientId } = request
  const user: Message = { role: 'user', id: messageId, parts: input, ...(sentAt !== undefined && { sentAt }) }
  return toTurn(user, history.at(-1)?.id ?? parentId ?? null, clientId)
}

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

/** Replaces the questions of a run by its open calls. */
async function writeQuestions(
  trx: ThreadDatabase,
  run: RunSummary,
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
