import { pause } from '../log/index.ts'
import type { ProcessLog } from '../observability/index.ts'

/** A database that answers within this time is not away: a lost connection was opened again. */
const PATIENCE_MS = 500
const RETRY_INTERVAL_MS = 1000

type Options = {
  /** Resolves if the database answers, and rejects if not. */
  readonly ready: () => Promise<void>
  readonly lines: Pick<ProcessLog, 'alert' | 'info' | 'node'>
  readonly patienceMs?: number
}

/** Writes one line when the database goes away and one when it is back, and no line for what fails in between. */
export interface OutageWatch {
  /**
   * Something has failed that the database may have caused: it is asked. True while it is known to be away, so that
   * this failure is no news.
   */
  suspect(reason: string): boolean
  readonly isAway: () => boolean
  /** Ends the watch. */
  close(): Promise<void>
}

export function createOutageWatch({ ready, lines, patienceMs = PATIENCE_MS }: Options): OutageWatch {
  const closing = new AbortController()
  const { signal } = closing
  let isAway = false
  let failures = 0
  let watching: Promise<void> | undefined

  const watch = async (reason: string): Promise<void> => {
    const start = performance.now()
    for (let isBack = false; !isBack && !signal.aborted;) {
      const answering = ready().then(
        () => true,
        () => false,
      )
      const answer = await Promise.race([answering, pause(patienceMs, signal)])
      if (answer !== true && !isAway && !signal.aborted) {
        isAway = true
        lines.alert({ reason, node: lines.node }, 'database away', 'error')
      }
      isBack = await Promise.race([answering, aborted(signal)])
      if (!isBack) await pause(RETRY_INTERVAL_MS, signal)
    }
    if (isAway && !signal.aborted)
      lines.info({ ms: Math.round(performance.now() - start), failures, node: lines.node }, 'database back')
    isAway = false
    failures = 0
  }
  return {
    suspect(reason) {
      const isKnown = isAway
      failures += 1
      if (!signal.aborted) watching ??= watch(reason).finally(() => (watching = undefined))
      return isKnown
    },
    isAway: () => isAway,
    async close() {
      closing.abort()
      await watching
    },
  }
}

function aborted(signal: AbortSignal): Promise<false> {
  if (signal.aborted) return Promise.resolve(false)
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(false), { once: true }))
}
