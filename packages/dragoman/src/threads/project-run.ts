import { turnBetween, type FairQueue } from '../async/index.ts'
import { repeatWhileAway, lockRows } from '../database/index.ts'
import { isServiceError } from '../errors.ts'
import { textOf, type Message, type Run, type RunSummary } from '../events/index.ts'
import type { Store } from '../log/index.ts'
import { toColumns } from './message-rows.ts'
import { writeMessageWords } from './message-words.ts'
import { openCalls } from './open-calls.ts'
import { readProgress, type Progress } from './read-progress.ts'
import { addThreadBytes, requestBytes, type ThreadStorage } from './thread-storage.ts'
import { shortenTitle } from './shorten-title.ts'
import type { ConversationRow, MessageRow, ThreadDatabase, TitleBy } from './tables.ts'
import {
  insertTurns,
  isWhole,
  sumBytes,
  toTurn,
  writeHistory,
  type RunColumns,
  type SizedTurn,
  type Turn,
} from './write-turns.ts'

const TITLE_LENGTH = 80
/** Characters of an answer that take some ms to write, and a thread as long to wake. */
const LARGE_ROW = 512 * 1024

export type Projection = {
  readonly tables: ThreadDatabase
  /** The same for transactions with rows of megabytes. */
  readonly largeTables: ThreadDatabase
  readonly store: Store
  /** The runs whose rows are being written. */
  readonly writing: Map<string, Promise<void>>
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

/**
 * Writes the rows of one run up to the end of its log. `isNew`: it is said to have no row yet. Of those who ask for it
 * at once, one writes, and the others find the rows as they are then: a large answer takes long to write.
 */
export async function projectRun(projecting: Projection, run: RunSummary, isNew = false): Promise<void> {
  const { writing } = projecting
  const earlier = writing.get(run.id)
  const own = Promise.resolve(earlier)
    .catch(() => undefined)
    .then(() => projectRows(projecting, run, isNew && !earlier))
  writing.set(run.id, own)
  try {
    await own
  } finally {
    if (writing.get(run.id) === own) writing.delete(run.id)
  }
}

async function projectRows(projecting: Projection, run: RunSummary, isNew: boolean): Promise<void> {
  try {
    // Other nodes write the same rows. Where they were faster, it is read again how far the rows are.
    for (let mayBeNew = isNew; !(await projectOnce(projecting, run, mayBeNew));) mayBeNew = false
  } catch (error) {
    // The thread or the log was deleted meanwhile, so there is nothing to project.
    if (!isServiceError(error, 'not-found') && !isServiceError(error, 'log-pruned')) throw error
  }
}

/** Returns whether there is nothing more to write: false if the row is not as it was read. */
async function projectOnce(projecting: Projection, run: RunSummary, isNew: boolean): Promise<boolean> {
  const progress = await readProgress(projecting, run, isNew)
  return progress ? write(projecting, run, progress) : true
}

/** Writes all rows of a run, in one transaction but for its history. Returns false if the row is not as it was read. */
async function write(projection: Projection, run: RunSummary, progress: Progress): Promise<boolean> {
  const { storage } = projection
  const { message, last, fullRun } = progress
  const createdAt = new Date(run.createdAt).toISOString()
  const common: RunColumns = { conversation_id: run.threadId, timestamp: createdAt, created_at: createdAt }
  const own = { ...toColumns(message), timestamp: toIso(last.at), projected_seq: last.seq }
  await turnBetween(own.parts.length)
  const writeRows = async (trx: ThreadDatabase): Promise<boolean> => {
    const ofThread = trx.selectFrom('conversations').select(['id', 'user_id', 'title'])
    const thread = await lockRows(trx, ofThread.where('id', '=', run.threadId)).executeTakeFirst()
    if (!thread) return true
    const turns: readonly SizedTurn[] = fullRun
      ? await insertTurns(trx, run.userId, [...userTurns(fullRun), answerTurn(fullRun, own)], common)
      : await updateAnswer(trx, run, progress, own)
    if (!turns.some(({ id }) => id === message.id)) return false
    if (progress.before?.mayAsk || openCalls(message).length > 0) await writeQuestions(trx, run, progress)
    const request = fullRun ? requestBytes(fullRun.request) : 0
    const bytes = request + sumBytes(turns) - (progress.before?.bytes ?? 0)
    const change = threadChange(projection, run, { progress, title: thread.title })
    await addThreadBytes(trx, storage, thread, { bytes, request, change })
    return true
  }
  if (fullRun && !(await writeHistory(projection, fullRun, common))) return true
  const tables = own.parts.length < LARGE_ROW ? projection.tables : projection.largeTables
  const isDone = await repeatWhileAway(() => tables.transaction().execute(writeRows))
  if (isDone && fullRun) storage.settle(run.userId, run.id)
  return isDone
}

/** The columns of an answer's thread that change with it. */
function threadChange(
  { titleBy, titleLength }: Projection,
  run: RunSummary,
  { progress, title }: { readonly progress: Progress; readonly title: string | null },
): Partial<ConversationRow> {
  const { message, last, fullRun } = progress
  const first = title === null && fullRun ? titleOf(fullRun, titleLength(run.agent)) : null
  return {
    updated_at: toIso(last.at),
    ...(first !== null && { title: first, title_by: titleBy }),
    // A new message chooses its path.
    ...(fullRun && { chosen_id: message.id, archived_at: null }),
  }
}

/** The user's message, if there is one, after the turns of the client's history. */
function userTurns(run: Run): ReturnType<typeof toTurn>[] {
  const { messageId, input, sentAt, clientId } = run.request
  const user: Message = { role: 'user', id: messageId, parts: input, ...(sentAt !== undefined && { sentAt }) }
  return input.length > 0 ? [toTurn(user, placeOf(run), clientId)] : []
}

function placeOf({ parentId, request: { history = [] } }: Run): string | null {
  return history.at(-1)?.id ?? parentId ?? null
}

type AnswerColumns = ReturnType<typeof toColumns> & Pick<MessageRow, 'timestamp' | 'projected_seq'>

function answerTurn(run: Run, own: AnswerColumns): Turn {
  const { id, messageId, request } = run
  const parent = request.input.length > 0 ? request.messageId : placeOf(run)
  return { ...own, id: messageId, parent_id: parent, client_id: null, run_id: id }
}

/** Updates a row that is as it was read, and its words at its end. Returns no row if it is not. */
async function updateAnswer(
  trx: ThreadDatabase,
  run: RunSummary,
  { before }: Progress,
  own: AnswerColumns,
): Promise<readonly (AnswerColumns & { readonly id: string })[]> {
  const update = trx.updateTable('chat_messages').set(own).where('id', '=', run.messageId)
  const rows = await update
    .where('projected_seq', '=', before?.seq ?? 0)
    .returning(['id', 'position'])
    .execute()
  if (isWhole(own)) {
    const words = rows.map(({ position }) => ({ position, content: own.content }))
    await writeMessageWords(trx, run.userId, words)
  }
  return rows.map(({ id }) => Object.assign({ id }, own))
}

/** Replaces the questions of a run by its open calls. */
async function writeQuestions(
  trx: ThreadDatabase,
  run: RunSummary,
  { message, last, askedAt }: Progress,
): Promise<void> {
  const open = openCalls(message)
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
      message: question.message ?? null,
      schema: question.schema === undefined ? null : JSON.stringify(question.schema),
      preview: question.preview === undefined ? null : JSON.stringify(question.preview),
    }
    await trx
      .insertInto('questions')
      .values(row)
      // A call may ask several questions.
      .onConflict((on) =>
        on
          .column('call_id')
          .doUpdateSet(row)
          .where((is) =>
            is.or([
              is('questions.kind', '!=', row.kind),
              is('questions.expires_at', 'is distinct from', row.expires_at),
            ]),
          ),
      )
      .execute()
  }
}

/** The first words of the message are the title until someone sets another. */
function titleOf({ request }: Run, length = TITLE_LENGTH): string | null {
  const user: Message = { role: 'user', id: request.messageId, parts: request.input }
  return shortenTitle(textOf(user).slice(0, 1000).replaceAll(/\s+/g, ' ').trim(), length) || null
}

function toIso(ms: number): string {
  return new Date(ms).toISOString()
}
