import type { Cluster } from '../cluster/index.ts'
import type { Run } from '../events/index.ts'
import type { RunLog, Store, UpkeepBacklog } from '../log/index.ts'
import type { RunActivity } from './attempt-tracker.ts'
import { createRunFollower } from './run-follower.ts'
import type { ProcessLog } from './process-log.ts'

/**
 * Watches the runs that this process drives, as metrics and traces do. Its methods must not throw.
 *
 * @example
 * const begun: string[] = []
 * const observer: RunObserver = {
 *   onStart: (run) => void begun.push(run.id),
 *   onActivity: () => undefined,
 *   onAppend: () => undefined,
 *   close: async () => undefined,
 * }
 */
export interface RunObserver {
  /** An attempt of a run has started. */
  onStart(run: Run): void
  /** A model call, a tool call or an attempt is over. */
  onActivity(run: Run, activity: RunActivity): void
  /** The store has committed events. `seconds` is how long that took. */
  onAppend(seconds: number): void
  /** Something has happened that is no activity of a run. */
  readonly onServerEvent?: ((event: ServerEvent) => void) | undefined
  /** All metrics in the text format of Prometheus, for `GET /metrics`. */
  readonly scrape?: (() => Promise<string>) | undefined
  /** Sends pending data. Waits a few seconds at most. */
  close(): Promise<void>
}

/**
 * What an operator counts, besides runs: a request, with the pattern of its path; a refusal, by its kind (`quota`,
 * `rate-limit`, `overload`, `storage`); a run that this process took over from another (`from` a crash or a shutdown),
 * and one that it handed over.
 *
 * @example
 * const isFailure = (event: ServerEvent): boolean => event.type === 'request' && event.status >= 500
 */
export type ServerEvent =
  | {
      readonly type: 'request'
      readonly method: string
      readonly route: string | undefined
      readonly status: number
      /** Until the response begins. */
      readonly seconds: number
    }
  | { readonly type: 'refusal'; readonly kind: string }
  | { readonly type: 'take-over'; readonly because: 'crash' | 'shutdown' }
  | { readonly type: 'hand-over' }

/** What the callers of a pool (users, guests, addresses) hold of one kind, such as requests. */
type LoadTotal = {
  readonly kind: string
  readonly pool: string
  readonly used: number
  /** `Infinity` means no limit. */
  readonly limit: number
  /** How often it was refused, or something was ended for it, since the server started. */
  readonly refusals: number
}

/**
 * What an observer can read from the server.
 *
 * @example
 * const requests = ({ load }: ObserverPorts): number =>
 *   load().reduce((sum, { kind, used }) => (kind === 'requests' ? sum + used : sum), 0)
 */
export type ObserverPorts = {
  /** The version of the server. */
  readonly version: string
  /** Names a user without the user's id: the same in each trace, and in the process log. */
  readonly hashUser: (userId: string) => string
  /** The number of runs that this process drives. */
  readonly live: () => number
  /** The number of runs that wait for an answer. */
  readonly waiting: () => Promise<number>
  /** What packing and deleting logs has not done yet. */
  readonly backlog: () => Promise<UpkeepBacklog>
  /** How many reads of logs have met a damaged entry since the server started. */
  readonly damagedReads: () => number
  /** Whether the database cannot be used now. */
  readonly isDatabaseAway: () => boolean
  /** What callers hold. */
  readonly load: () => readonly LoadTotal[]
  /** The nodes of the server. Undefined if there is one. */
  readonly cluster?: Pick<Cluster, 'nodes' | 'health'> | undefined
  /** Logs a sentence about a problem that the observer has passed over. */
  readonly warn: (problem: string) => void
}

/**
 * Creates an observer, or returns undefined if none is configured. @throws ServiceError `invalid-request` for a
 * wrong setting
 */
export type ObserverPlugin = (ports: ObserverPorts) => Promise<RunObserver | undefined>

type Ports = Omit<ObserverPorts, 'live' | 'warn'> & {
  readonly log: RunLog
  readonly store: Pick<Store, 'read'>
  readonly lines: Pick<ProcessLog, 'warn' | 'report' | 'logsRuns' | 'runStart' | 'runActivity'>
}

type RunObservation = {
  /** The log, with the time of each append observed. */
  readonly log: RunLog
  readonly follow: (run: Run, after: number) => void
  readonly release: (runId: string) => void
  readonly onServerEvent: (event: ServerEvent) => void
  readonly scrape: (() => Promise<string>) | undefined
  close(): Promise<void>
}

/** Follows the runs of this process for the observers and the process log. Without any of them, it follows none. */
export async function observeRuns(
  plugins: readonly ObserverPlugin[],
  { log, store, lines, ...asked }: Ports,
): Promise<RunObservation | undefined> {
  const observers: RunObserver[] = []
  const onActivity = (run: Run, activity: RunActivity): void => {
    lines.runActivity(run, activity)
    for (const observer of observers) observer.onActivity(run, activity)
  }
  const follower = createRunFollower({ log, store, onActivity, report: lines.report })
  for (const create of plugins) {
    const observer = await create({ ...asked, warn: lines.warn, live: () => follower.count })
    if (observer) observers.push(observer)
  }
  if (observers.length === 0 && !lines.logsRuns) return undefined
  return {
    log: observers.length > 0 ? timeAppends(log, observers) : log,
    follow(run, after) {
      lines.runStart(run)
      for (const observer of observers) observer.onStart(run)
      follower.follow(run, after)
    },
    release: follower.release,
    onServerEvent(event) {
      for (const { onServerEvent } of observers) onServerEvent?.(event)
    },
    scrape: observers.find(({ scrape }) => scrape)?.scrape,
    async close() {
      await follower.close()
      for (const observer of observers) await observer.close()
    },
  }
}

function timeAppends(log: RunLog, observers: readonly RunObserver[]): RunLog {
  return {
    ...log,
    async append(...ports) {
      const startedAt = performance.now()
      const entries = await log.append(...ports)
      const seconds = (performance.now() - startedAt) / 1000
      for (const observer of observers) observer.onAppend(seconds)
      return entries
    },
  }
}
