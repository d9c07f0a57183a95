import { setTimeout as pause } from 'node:timers/promises'

import { isLive, type RunSummary } from '../../events/index.ts'
import type { Runs } from '../../runs/index.ts'

/** A new message may interrupt a run that had no reader for this long. */
const UNREAD_AFTER_MS = 1000
/** A page that stops disconnects and sends its next message, which may arrive first: the wait for the disconnect. */
const HANG_UP_TIMEOUT_MS = 250
const POLL_INTERVAL_MS = 50

type Readers = {
  readonly isRead: (runId: string) => boolean
  /** When a run lost its last reader, in ms since 1970, if that is recorded. */
  readonly lastReaderLeftAt: (runId: string) => number | undefined
  /** Since when readers are recorded, in ms since 1970. */
  readonly since: number
}

/**
 * Whether a run has ended or has had no reader in this process for one second. Waits until that is clear. False once
 * `signal` aborts.
 */
export async function hasNoReader(
  run: RunSummary,
  { isRead, lastReaderLeftAt, since }: Readers,
  runs: Pick<Runs, 'summaries'>,
  signal: AbortSignal,
): Promise<boolean> {
  const { id, userId, createdAt } = run
  const startedAt = Date.now()
  let lastReadAt = isRead(id) ? startedAt : (lastReaderLeftAt(id) ?? Math.max(createdAt, since))
  while (!signal.aborted) {
    const isFollowed = isRead(id)
    const now = Date.now()
    if (isFollowed) lastReadAt = now
    if (now - lastReadAt >= UNREAD_AFTER_MS) return true
    if (isFollowed && now - startedAt >= HANG_UP_TIMEOUT_MS) return false
    await pause(POLL_INTERVAL_MS)
    const [current] = await runs.summaries(userId, [id])
    if (!current || !isLive(current)) return true
  }
  return false
}
