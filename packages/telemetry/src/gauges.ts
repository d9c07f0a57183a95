import { monitorEventLoopDelay } from 'node:perf_hooks'

import type { Meter, ObservableGauge } from '@opentelemetry/api'

import type { ObserverPorts } from 'dragoman/observability'
import { attributeNames, metricNames } from './attribute-names.ts'

/** Sources of gauges, read at each collection. */
export type GaugeSources = Pick<
  ObserverPorts,
  'live' | 'waiting' | 'backlog' | 'damagedReads' | 'isDatabaseAway' | 'load' | 'cluster'
>

const EVENT_LOOP_RESOLUTION_MS = 20
const READER_KINDS: ReadonlySet<string> = new Set(['readers', 'sockets'])

/** Gauges that are read at each collection, until `disable`. */
export function createGauges(
  meter: Meter,
  { live, waiting, backlog, damagedReads, isDatabaseAway, load, cluster }: GaugeSources,
): { disable(): void } {
  const gauge = (name: string, unit: string, description: string) =>
    meter.createObservableGauge(name, { unit, description })
  gauge('dragoman.runs.live', '{run}', 'Runs that are driven here').addCallback((to) => to.observe(live()))
  gauge('dragoman.runs.waiting', '{run}', 'Runs that wait for their user').addCallback(async (to) =>
    to.observe(await waiting()),
  )
  gauge('dragoman.readers', '{reader}', 'Answers that are open').addCallback((to) =>
    to.observe(load().reduce((sum, { kind, used }) => (READER_KINDS.has(kind) ? sum + used : sum), 0)),
  )
  gauge('dragoman.database.up', '1', 'Whether this node can use its database: 1 or 0').addCallback((to) =>
    to.observe(isDatabaseAway() ? 0 : 1),
  )
  createLoadGauges(meter, load)
  createBacklogGauges(meter, backlog)
  meter
    .createObservableCounter('dragoman.log.damaged', {
      unit: '{read}',
      description: 'Reads of a log that met an entry which is damaged in the database',
    })
    .addCallback((to) => to.observe(damagedReads()))

  if (cluster?.health()) createClusterGauges(gauge, cluster)

  createProcessGauges(meter)
  return createLoopGauges(meter)
}

/** What this process takes of the machine. */
function createProcessGauges(meter: Meter): void {
  meter
    .createObservableGauge('process.memory.usage', {
      unit: 'By',
      description: 'Memory that the process holds, in bytes',
    })
    .addCallback((to) => to.observe(process.memoryUsage.rss()))
  meter
    .createObservableCounter('process.cpu.time', {
      unit: 's',
      description: 'How long the process has used a processor, in seconds',
    })
    .addCallback((to) => {
      const { user, system } = process.cpuUsage()
      to.observe(user / 1e6, { [attributeNames.cpuMode]: 'user' })
      to.observe(system / 1e6, { [attributeNames.cpuMode]: 'system' })
    })
}

function createLoopGauges(meter: Meter): { disable(): void } {
  const loop = monitorEventLoopDelay({ resolution: EVENT_LOOP_RESOLUTION_MS })
  loop.enable()
  const gauge = (name: string, description: string) =>
    meter.createObservableGauge(name, { unit: 's', description })
  const mean = gauge(metricNames.loopMean, 'How late the event loop was since it was last asked, in seconds')
  const p99 = gauge(metricNames.loopP99, 'How late the event loop was, but for a hundredth, in seconds')
  const max = gauge(metricNames.loopMax, 'How late the event loop was at its latest, in seconds')
  meter.addBatchObservableCallback(
    (to) => {
      // The measured time includes the resolution between two samples.
      const seconds = (nanoseconds: number): number =>
        Math.max(0, nanoseconds / 1e6 - EVENT_LOOP_RESOLUTION_MS) / 1000 || 0
      to.observe(mean, seconds(loop.mean))
      to.observe(p99, seconds(loop.percentile(99)))
      to.observe(max, seconds(loop.max))
      loop.reset()
    },
    [mean, p99, max],
  )
  return loop
}

/** These kinds are bytes. Others are counted. */
const BYTE_KINDS: ReadonlySet<string> = new Set(['bytesRead', 'bytesUnsent', 'runBytes'])

/** What callers hold, by kind and by pool: users, guests, and addresses without a user. */
function createLoadGauges(meter: Meter, load: GaugeSources['load']): void {
  const pair = (name: string, unit: string, what: string) => ({
    usage: meter.createObservableGauge(`${name}.usage`, { unit, description: `${what} that callers hold` }),
    limit: meter.createObservableGauge(`${name}.limit`, {
      unit,
      description: `${what} that callers may hold`,
    }),
  })
  const counts = pair('dragoman.load', '{item}', 'What is counted')
  const memory = pair('dragoman.load.memory', 'By', 'Bytes')
  const refusals = meter.createObservableCounter('dragoman.load.refusals', {
    unit: '{refusal}',
    description: 'What was refused or ended because a share was used up or the server was full',
  })
  meter.addBatchObservableCallback(
    (to) => {
      for (const { kind, pool, used, limit, refusals: refused } of load()) {
        const gauges = BYTE_KINDS.has(kind) ? memory : counts
        to.observe(gauges.usage, used, { kind, pool })
        if (Number.isFinite(limit)) to.observe(gauges.limit, limit, { kind, pool })
        to.observe(refusals, refused, { kind, pool })
      }
    },
    [counts.usage, counts.limit, memory.usage, memory.limit, refusals],
  )
}

/** What upkeep has not done yet. It is of the whole database, the same on each node. */
function createBacklogGauges(meter: Meter, backlog: GaugeSources['backlog']): void {
  const gauge = (name: string, unit: string, description: string) =>
    meter.createObservableGauge(name, { unit, description })
  const unpacked = gauge('dragoman.logs.unpacked', '{run}', 'Ended runs whose logs are due to be packed')
  const overdue = gauge(
    'dragoman.logs.overdue',
    's',
    'How long the oldest log has been due for deletion, in seconds',
  )
  meter.addBatchObservableCallback(
    async (to) => {
      const due = await backlog()
      to.observe(unpacked, due.unpacked)
      to.observe(overdue, due.overdueMs / 1000)
    },
    [unpacked, overdue],
  )
}

type CreateGauge = (name: string, unit: string, description: string) => ObservableGauge

/** What several nodes share: the database and its notices. */
function createClusterGauges(gauge: CreateGauge, cluster: NonNullable<GaugeSources['cluster']>): void {
  gauge('dragoman.nodes', '{node}', 'Nodes that are alive').addCallback(async (to) =>
    to.observe((await cluster.nodes()).filter(({ isAlive }) => isAlive).length),
  )
  gauge('dragoman.database.connections', '{connection}', 'Open connections to the database').addCallback(
    (to) => to.observe(cluster.health()?.connections ?? 0),
  )
  gauge('dragoman.database.waits', '{request}', 'Requests that wait for a connection').addCallback((to) =>
    to.observe(cluster.health()?.waiting ?? 0),
  )
  gauge(
    'dragoman.notice.lag',
    's',
    'How long the latest notice took through the database, in seconds',
  ).addCallback((to) => {
    const { noticeLagMs } = cluster.health() ?? {}
    if (noticeLagMs !== undefined) to.observe(noticeLagMs / 1000)
  })
}
