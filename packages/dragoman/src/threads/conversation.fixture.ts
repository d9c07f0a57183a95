import type { Database } from '../database/index.ts'
import type { NewRun, RunEvent } from '../events/index.ts'
import type { Store } from '../log/index.ts'
import { newRun } from '../log/store-claims.contract.ts'
import { memoryStore } from '../stores/memory/index.ts'
import { createThreadServices, threadMigrations, type ThreadServices, type Thread } from './index.ts'
import { openTestDatabase } from '../testing/test-storage.fixture.ts'

/** Conversations over a store in memory, in which runs say what they are told to. */
export type TestConversation = ThreadServices & {
  readonly db: Database
  readonly store: Store
  readonly thread: Thread
  /** A run of the thread's, which has ended, and its rows. Gives its message's id. */
  addRun(text: string, answer: string, more?: Partial<NewRun>): Promise<string>
  /** A run that goes on, and the rows of what it has said so far. */
  startRun(text: string, events: readonly RunEvent[], more?: Partial<NewRun>): Promise<string>
  end(runId: string): Promise<void>
}

export const finished: RunEvent = {
  type: 'run.finished',
  reason: 'stop',
  usage: { inputTokens: 1, outputTokens: 1 },
}

export async function createTestConversation(titles: 'words' | 'model' = 'words'): Promise<TestConversation> {
  const db = await openTestDatabase(threadMigrations)
  const store = memoryStore()
  const all = createThreadServices(db, store, { titles })
  const { thread } = await all.threads.open({ userId: 'ada', agent: 'dice' })
  let runs = 0
  const startRun: TestConversation['startRun'] = async (text, events, more = {}) => {
    const id = `run_${++runs}`
    const usual = newRun(id, { threadId: thread.id })
    const [latest] =
      more.threadId === undefined ? (await all.history.path(thread.id, { limit: 1 })).slice(-1) : []
    const request = { ...usual.request, input: [{ type: 'text', text } as const] }
    const parentId = latest && { parentId: latest.row.id }
    await store.create({ ...usual, ...parentId, request, ...more }, 'queue')
    await store.append(id, events)
    await all.projector.upTo(more.threadId ?? thread.id)
    return usual.messageId
  }
  return {
    ...all,
    db,
    store,
    thread,
    startRun: startRun,
    async addRun(text, answer, more) {
      return startRun(text, [...textEvents(`run_${runs + 1}`, answer), finished], more)
    },
    async end(runId) {
      await store.append(runId, [finished])
      await all.projector.upTo(thread.id)
    },
  }
}

export function textEvents(runId: string, text: string): RunEvent[] {
  const partId = `${runId}.1`
  return [
    { type: 'text.started', partId },
    { type: 'text.delta', partId, delta: text },
    { type: 'text.ended', partId, provider: { signature: 'own' } },
  ]
}
