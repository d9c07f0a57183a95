import { setImmediate as turn } from 'node:timers/promises'

import type { FairQueue } from '../async/index.ts'
import { lockRows, repeatWhileAway } from '../database/index.ts'
import type { Message, Run } from '../events/index.ts'
import { toColumns } from './message-rows.ts'
import { nextPositions } from './message-positions.ts'
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
          const bytes = await insertTurns(trx, run.userId, slice, shared)
          await addThreadBytes(trx, storage, thread, { bytes })
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

/** A turn as columns. */
type Turn = ReturnType<typeof toTurn>

/** `parent`: the id of the message before it. */
export function toTurn(message: Message, parent: string | null, clientId: string | null = null) {
  return {
    ...toColumns(message),
    id: message.id,
    parent_id: parent,
    client_id: clientId,
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

/** Inserts turns that are not there yet, with their words. Returns their bytes. */
export async function insertTurns(
  trx: ThreadDatabase,
  owner: string,
  turns: readonly Turn[],
  shared: RunColumns,
): Promise<number> {
  const positions = await nextPositions(trx, turns.length)
  const rows = turns.map((each, at) => Object.assign({}, shared, each, { position: positions[at] ?? 0 }))
  const insertion = trx
    .insertInto('chat_messages')
    .values(rows)
    .onConflict((on) => on.doNothing())
  const inserted = new Set((await insertion.returning('position').execute()).map(({ position }) => position))
  const added = rows.filter(({ position }) => inserted.has(position))
  await writeMessageWords(trx, owner, added)
  return added.reduce((sum, row) => sum + messageBytes(row), 0)
}
