import { isDetached, isLive, type RunEvent, type RunStatus, type RunSummary } from '../events/index.ts'
import type { Store } from './store.ts'
import type { UserChanges } from './user-changes.ts'

/** The owners of so many runs are remembered: those of others are looked up. */
const MAX_OWNERS = 10_000

const STATUS_AFTER: Partial<Record<RunEvent['type'], RunStatus>> = {
  'run.waiting': 'waiting',
  'run.resumed': 'running',
  'run.finished': 'finished',
  'run.failed': 'failed',
  'run.cancelled': 'cancelled',
}

type Owned = Pick<RunSummary, 'id' | 'userId' | 'threadId'>

/** Tells the user of a run that it has begun, waits, goes on, has been answered or has ended. */
export interface RunAnnouncer {
  onStart(run: Owned & Pick<RunSummary, 'status'>): void
  /** Called after events of a run were appended. */
  onAppend(runId: string, events: readonly RunEvent[]): void
}

export function createRunAnnouncer(store: Pick<Store, 'summaries'>, changes: UserChanges): RunAnnouncer {
  const owners = new Map<string, Owned>()
  const announce = async (runId: string, status: RunStatus | undefined): Promise<void> => {
    const run = owners.get(runId) ?? (await store.summaries([runId]))[0]
    if (!run) return
    if (status !== undefined && !isLive({ status })) owners.delete(runId)
    if (isDetached(run)) return
    const { threadId } = run
    changes.announce(
      run.userId,
      status === undefined ? { type: 'questions.changed' } : { type: 'run.changed', threadId, runId, status },
    )
  }
  return {
    onStart({ id, userId, threadId, status }) {
      owners.set(id, { id, userId, threadId })
      const [oldest = id] = owners.keys()
      if (owners.size > MAX_OWNERS) owners.delete(oldest)
      void announce(id, status)
    },
    onAppend(runId, events) {
      const last = events.findLast(({ type }) => type in STATUS_AFTER || type === 'tool.answered')
      // A database that is away cannot be read. The notice may be lost.
      if (last) announce(runId, STATUS_AFTER[last.type]).catch(() => undefined)
    },
  }
}
