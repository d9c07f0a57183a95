import type { Run } from '../events/index.ts'
import type { RunLog, Store } from '../log/index.ts'
import type { Done } from './attempt.ts'
import { wantedOf, type Settings } from './configured.ts'
import { following } from './following.ts'
import type { Otel, OtelPorts } from './otel.ts'
import type { ProcessLog } from './process-log.ts'

/** Tells others how the runs go that this process drives. */
export interface Telemetry {
  /** The log, with what it takes to keep entries told. */
  readonly log: RunLog
  readonly driving: (run: Run, after: number) => void
  readonly letGo: (runId: string) => void
  /** All metrics, as Prometheus reads them, where they may be fetched. */
  readonly scrape: (() => Promise<string>) | undefined
  /** Tells what is left, as far as it is soon taken. */
  close(): Promise<void>
}

export type TelemetryPorts = Omit<OtelPorts, 'live' | 'warn'> & {
  readonly log: RunLog
  readonly store: Pick<Store, 'read'>
  readonly lines: Pick<ProcessLog, 'warn' | 'report' | 'tellsRuns' | 'begun' | 'done'>
}

/** Nothing where nobody wants to be told: no run is followed then, and nothing loaded. @throws ServiceError `invalid-request` for what is configured wrongly */
export async function telemetry(settings: Settings, ports: TelemetryPorts): Promise<Telemetry | undefined> {
  const wanted = wantedOf(settings)
  const { lines, store } = ports
  if (!wanted && !lines.tellsRuns) return undefined
  const tell = (run: Run, done: Done): void => {
    lines.done(run, done)
    otel?.done(run, done)
  }
  const followed = following({ log: ports.log, store, tell, report: lines.report })
  const { openOtel } = wanted ? await import('./otel.ts') : {}
  const gauges = { ...ports, warn: lines.warn, live: () => followed.count }
  const otel = wanted && openOtel?.(wanted, gauges)
  return {
    log: otel ? timed(ports.log, otel.appended) : ports.log,
    driving(run, after) {
      lines.begun(run)
      otel?.begun(run)
      followed.driving(run, after)
    },
    letGo: followed.letGo,
    scrape: otel?.scrape,
    async close() {
      await followed.close()
      await otel?.close()
    },
  }
}

function timed(log: RunLog, tell: Otel['appended']): RunLog {
  return {
    ...log,
    async append(...asked) {
      const begun = performance.now()
      const entries = await log.append(...asked)
      tell((performance.now() - begun) / 1000)
      return entries
    },
  }
}
