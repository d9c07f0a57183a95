import { pause } from '../log/index.ts'
import type { ProcessLog } from '../observability/index.ts'

/** A database that answers within this time is not away: a lost connection was opened again. */
const PATIENCE_MS = 500
const RETRY_INTERVAL_MS = 1000
/** What failed while it was away may be reported so long after. */
const LATE_MS = 1000

type Options = {
  /** Resolves if the database answers, and rejects if not. */
  readonly ready: () => Promise<void>
  readonly lines: Pick<ProcessLog, 'alert' | 'info' | 'node'>
  readonly patienceMs?: number
}

/** Writes one line when the database goes away and one when it is back, and no line for what fails in between. */
export interface OutageWatch {
  /**
   * Something has failed that the database may have caused: it is asked. Resolves with whether it is away, so that this
   * failure is no news.
   */
  suspect(reason: string): Promise<boolean>
  readonly isAway: () => boolean
  /** Ends the watch. */
  close(): Promise<void>
}

type Outage = { readonly found: PromiseWithResolvers<boolean>; readonly end: Promise<void> }

export function createOutageWatch({ ready, lines, patienceMs = PATIENCE_MS }: Options): OutageWatch {
  const closing = new AbortController()
  const { signal } = closing
  let isAway = false
  let backAt = -Infinity
  let failures = 0
  let outage: Outage | undefined

  const watch = async (reason: string, found: (isFound: boolean) => void): Promise<void> => {
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
        found(true)
      }
      isBack = await Promise.race([answering, aborted(signal)])
      if (!isBack) await pause(RETRY_INTERVAL_MS, signal)
    }
    if (isAway && !signal.aborted) {
      backAt = performance.now()
      lines.info({ ms: Math.round(backAt - start), failures, node: lines.node }, 'database back')
    }
    found(false)
  }
  const begin = (reason: string): Outage => {
    failures = 0
    const found = Promise.withResolvers<boolean>()
    const end = watch(reason, found.resolve).finally(() => {
      isAway = false
      outage = undefined
    })
    return { found, end }
  }
  return {
    async suspect(reason) {
      if (signal.aborted) return false
      if (performance.now() - backAt < LATE_MS) return true
      outage ??= begin(reason)
      failures += 1
      return outage.found.promise
    },
    isAway: () => isAway,
    async close() {
      closing.abort()
      await outage?.end
    },
  }
}

function aborted(signal: AbortSignal): Promise<false> {
  if (signal.aborted) return Promise.resolve(false)
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(false), { once: true }))
}
