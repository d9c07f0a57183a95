import { setImmediate as turn } from 'node:timers/promises'

import type { FairQueue } from '../async/index.ts'
import { lockRows, repeatWhileAway } from '../database/index.ts'
import type { Message, Run } from '../events/index.ts'
import { toColumns } from './message-rows.ts'
import { placeNext } from './message-positions.ts'
import { writeMessageWords } from './message-words.ts'
import type { MessageRow, ThreadDatabase } from './tables.ts'
import { addThreadBytes, messageBytes, type ThreadStorage } from './thread-storage.ts'

/** A transaction writes so many turns of a history at most, and no more once it has so many characters of them. */
const MAX_SLICE_TURNS = 50
const MAX_SLICE_CHARACTERS = 50_000

/** The columns that all messages of a run share. */
export type RunColumns = Pick<MessageRow, 'conversation_id' | 'timestamp' | 'created_at'>

export type HistoryPorts = {
  readonly tables: ThreadDatabase
  readonly slices: FairQueue
  readonly storage: ThreadStorage
}

/**
 * Writes the turns of a client's history that come before the user's message. Their number is the client's choice: they
 * are written in slices, and users take turns, so nothing else waits for all of them. It may be repeated. Returns
 * whether the thread is still there.
 */
export async function writeHistory(
  { tables, slices, storage }: HistoryPorts,
  run: Run,
  shared: RunColumns,
): Promise<boolean> {
  const { history = [] } = run.request
  let parent = run.parentId ?? null
  for (let from = 0; from < history.length;) {
    const slice = toSlice(history, from, parent)
    const isThere = await slices.run(run.userId, async () => {
      await turn()
      return repeatWhileAway(() =>
        tables.transaction().execute(async (trx) => {
          const ofThread = trx.selectFrom('conversations').select(['id', 'user_id'])
          const thread = await lockRows(trx, ofThread.where('id', '=', run.threadId)).executeTakeFirst()
          if (!thread) return false
          const added = await insertTurns(trx, run.userId, slice, shared)
          await addThreadBytes(trx, storage, thread, { bytes: sumBytes(added) })
          return true
        }),
      )
    })
    if (!isThere) return false
    parent = slice.at(-1)?.id ?? parent
    from += slice.length
  }
  return true
}

/** What tells a message and its size. */
export type SizedTurn = Pick<Turn, 'id' | 'role' | 'content' | 'reasoning' | 'tool_calls' | 'parts'>

/** The bytes of messages. */
export function sumBytes(turns: readonly SizedTurn[]): number {
  return turns.reduce((sum, each) => sum + messageBytes(each), 0)
}

/** A turn as columns. */
export type Turn = ReturnType<typeof toTurn>

/** `parent`: the id of the message before it. */
export function toTurn(message: Message, parent: string | null, clientId: string | null = null) {
  return {
    ...toColumns(message),
    id: message.id,
    parent_id: parent,
    client_id: clientId,
    run_id: null as string | null,
    projected_seq: 0,
    ...(message.sentAt !== undefined && { timestamp: message.sentAt }),
  }
}

function toSlice(history: readonly Message[], from: number, parent: string | null): readonly Turn[] {
  const slice: Turn[] = []
  let characters = 0
  for (const message of history.slice(from, from + MAX_SLICE_TURNS)) {
    const added = toTurn(message, slice.at(-1)?.id ?? parent)
    slice.push(added)
    characters += added.parts.length
    if (characters >= MAX_SLICE_CHARACTERS) break
  }
  return slice
}

/** Inserts turns, at least one, with their words. Returns those that were not there yet. */
export async function insertTurns(
  trx: ThreadDatabase,
  owner: string,
  turns: readonly Turn[],
  shared: RunColumns,
): Promise<readonly Turn[]> {
  const rows = turns.map((each) => Object.assign({}, shared, each))
  const insertion = trx
    .insertInto('chat_messages')
    .values([...(await placeNext(trx, rows))])
    .onConflict((on) => on.doNothing())
  const positions = new Map(
    (await insertion.returning(['id', 'position']).execute()).map(({ id, position }) => [id, position]),
  )
  const added = rows.filter(({ id }) => positions.has(id))
  await writeMessageWords(
    trx,
    owner,
    added.filter(isWhole).map(({ id, content }) => ({ position: positions.get(id) ?? 0, content })),
  )
  return added
}

/** An answer that is being written gets its words at its end. */
export function isWhole({ status }: Pick<MessageRow, 'status'>): boolean {
  return status !== 'streaming'
}
