import type { AgentServices } from '../agents/index.ts'
import type { Database, Migration } from '../database/index.ts'
import { pause, type Store } from '../log/index.ts'
import type { SignInStore } from '../mcp/sign-in/sign-in-store.ts'
import { toPublicMessage } from '../protocols/index.ts'
import type { PageMessage, ThreadServices } from '../threads/index.ts'
import type { AnswerPage } from './http/index.ts'

const POLL_INTERVAL_MS = 2000
/** Time for readers to read the end of the last run, in ms. */
const GRACE_MS = 2000

type Tables = { erasures: { conversation_id: string; asked_at: string } }

export const erasureMigrations: readonly Migration[] = [
  {
    name: 'erasing-1',
    statements: ['CREATE TABLE erasures (conversation_id TEXT PRIMARY KEY, asked_at TEXT NOT NULL) STRICT'],
  },
]

export type ConversationErasurePorts = Pick<
  ThreadServices,
  'deletion' | 'threads' | 'messagePages' | 'projector'
> & {
  readonly db: Database
  readonly store: Pick<Store, 'list'>
  readonly signIns: Pick<SignInStore, 'forget'>
  /** Stops the runs of a conversation and removes them with their logs. */
  readonly forget: (threadId: string) => Promise<void>
}

export type ConversationErasure = Pick<AgentServices, 'exportThreads' | 'deleteThreads'> & {
  /** Removes conversations that waited for their last run, until `signal` aborts. */
  eraseQueued(signal: AbortSignal, report: (error: unknown) => void): Promise<void>
}

/**
 * Exports all conversations of a user, and removes them with the sign-ins at MCP servers. A removal that was
 * interrupted, also by a kill, is continued.
 */
export function createConversationErasure(ports: ConversationErasurePorts): ConversationErasure {
  const { db, deletion } = ports
  const tables = db.withTables<Tables>()
  return {
    exportThreads: (userId) => exportConversations(userId, ports),
    async deleteThreads(userId, activeId) {
      const ids = await deletion.listThreadIds(userId)
      if (activeId !== undefined && ids.includes(activeId)) {
        const row = { conversation_id: activeId, asked_at: new Date().toISOString() }
        await tables
          .insertInto('erasures')
          .values(row)
          .onConflict((on) => on.doNothing())
          .execute()
      }
      for (const id of ids) if (id !== activeId) await erase(id, ports)
      await ports.signIns.forget(userId)
      await deletion.purgeIndex()
      return ids.length
    },
    async eraseQueued(signal, report) {
      const idleSince = new Map<string, number>()
      for (; !signal.aborted; await pause(POLL_INTERVAL_MS, signal))
        await eraseIdle(ports, idleSince).catch(report)
    },
  }
}

async function eraseIdle(ports: ConversationErasurePorts, idleSince: Map<string, number>): Promise<void> {
  const { db, store, deletion } = ports
  const tables = db.withTables<Tables>()
  const rows = await tables.selectFrom('erasures').select('conversation_id').execute()
  for (const { conversation_id: id } of rows) {
    const live = await store.list(id, { live: true, limit: Number.MAX_SAFE_INTEGER })
    if (live.some(({ status }) => status !== 'waiting')) {
      idleSince.delete(id)
      continue
    }
    const since = idleSince.get(id) ?? Date.now()
    idleSince.set(id, since)
    if (Date.now() - since < GRACE_MS) continue
    await erase(id, ports)
    await deletion.purgeIndex()
    await tables.deleteFrom('erasures').where('conversation_id', '=', id).execute()
    idleSince.delete(id)
  }
}

/** Runs go first: after a crash, a conversation that still exists is found again. */
async function erase(id: string, { deletion, forget }: ConversationErasurePorts): Promise<void> {
  await forget(id)
  await deletion.remove(id)
  // A message that arrived in between has started a run that no client can find.
  await forget(id)
}

async function* exportConversations(
  userId: string,
  { deletion, threads, messagePages, projector }: ConversationErasurePorts,
): AsyncGenerator<AnswerPage> {
  let comma = ''
  for (const id of await deletion.listThreadIds(userId)) {
    await projector.refresh(id)
    const { title = null, createdAt, updatedAt } = await threads.get(userId, id)
    const head = JSON.stringify({ id, title, createdAt, updatedAt }).slice(0, -1)
    const before = `${comma}${head},"messages":[`
    yield { bytes: 0, make: async () => before }
    comma = ''
    for await (const { bytes, read } of messagePages.all(id)) {
      const separator = comma
      const make = async (): Promise<string> => {
        const messages = (await read()).map((stored) => JSON.stringify(toExported(stored)))
        return `${messages.length === 0 ? '' : separator}${messages.join(',')}`
      }
      yield { bytes, make }
      comma = ','
    }
    yield { bytes: 0, make: async () => ']}' }
    comma = ','
  }
}

function toExported({ message, row }: PageMessage): object {
  const body = message.role === 'user' ? message : toPublicMessage(message)
  return { ...body, createdAt: row.created_at }
}
