import type { Run } from '../events/index.ts'
import type { RunLog, Store } from '../log/index.ts'
import type { Done } from './attempt.ts'
import { following } from './following.ts'
import type { ProcessLog } from './process-log.ts'

/**
 * Watches the runs that this process drives, as metrics and traces do. Its methods must not throw.
 *
 * @example
 * const begun: string[] = []
 * const observer: RunObserver = {
 *   begun: (run) => void begun.push(run.id),
 *   done: () => undefined,
 *   appended: () => undefined,
 *   close: async () => undefined,
 * }
 */
export interface RunObserver {
  /** An attempt of a run has begun. */
  begun(run: Run): void
  /** A model call, a tool call or an attempt is over. */
  done(run: Run, done: Done): void
  /** The store has committed events. `seconds` is how long that took. */
  appended(seconds: number): void
  /** All metrics in the text format of Prometheus, for `GET /metrics`. */
  readonly scrape?: (() => Promise<string>) | undefined
  /** Sends what is left. It waits no longer than a few seconds. */
  close(): Promise<void>
}

/**
 * What an observer may ask the server.
 *
 * @example
 * const load = ({ live, readers }: ObserverPorts): string => `${live()} runs, ${readers()} readers`
 */
export type ObserverPorts = {
  /** The version of the server. */
  readonly version: string
  /** The number of runs that this process drives. */
  readonly live: () => number
  /** The number of runs that wait for an answer. */
  readonly waiting: () => Promise<number>
  /** The number of open answers. */
  readonly readers: () => number
  /** Logs a sentence about a problem that the observer has passed over. */
  readonly warn: (problem: string) => void
}

/** Creates an observer; nothing where none is wanted. @throws ServiceError `invalid-request` for a wrong setting */
export type ObserverPlugin = (ports: ObserverPorts) => Promise<RunObserver | undefined>

type Ports = Omit<ObserverPorts, 'live' | 'warn'> & {
  readonly log: RunLog
  readonly store: Pick<Store, 'read'>
  readonly lines: Pick<ProcessLog, 'warn' | 'report' | 'tellsRuns' | 'begun' | 'done'>
}

type Observing = {
  /** The log, with the time of each append observed. */
  readonly log: RunLog
  readonly driving: (run: Run, after: number) => void
  readonly letGo: (runId: string) => void
  readonly scrape: (() => Promise<string>) | undefined
  close(): Promise<void>
}

/** Follows the runs of this process for the observers and the process log. Without any of them, it follows none. */
export async function observeRuns(
  plugins: readonly ObserverPlugin[],
  { log, store, lines, ...asked }: Ports,
): Promise<Observing | undefined> {
  const observers: RunObserver[] = []
  const tell = (run: Run, done: Done): void => {
    lines.done(run, done)
    for (const observer of observers) observer.done(run, done)
  }
  const followed = following({ log, store, tell, report: lines.report })
  for (const create of plugins) {
    const observer = await create({ ...asked, warn: lines.warn, live: () => followed.count })
    if (observer) observers.push(observer)
  }
  if (observers.length === 0 && !lines.tellsRuns) return undefined
  return {
    log: observers.length > 0 ? timed(log, observers) : log,
    driving(run, after) {
      lines.begun(run)
      for (const observer of observers) observer.begun(run)
      followed.driving(run, after)
    },
    letGo: followed.letGo,
    scrape: observers.find(({ scrape }) => scrape)?.scrape,
    async close() {
      await followed.close()
      for (const observer of observers) await observer.close()
    },
  }
}

function timed(log: RunLog, observers: readonly RunObserver[]): RunLog {
  return {
    ...log,
    async append(...asked) {
      const begun = performance.now()
      const entries = await log.append(...asked)
      const seconds = (performance.now() - begun) / 1000
      for (const observer of observers) observer.appended(seconds)
      return entries
    },
  }
}
