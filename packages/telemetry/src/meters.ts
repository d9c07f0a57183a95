import { monitorEventLoopDelay } from 'node:perf_hooks'

import type { Attributes, Meter, ObservableGauge } from '@opentelemetry/api'

import type { Run } from 'dragoman/events'
import type { ModelCallActivity, RunActivity, ObserverPorts, ToolCallActivity } from 'dragoman/observability'
import { metricNames, attributeNames, ownAttributeNames, splitModelName } from './attribute-names.ts'

/** Sources of gauges, read at each collection. */
type GaugeSources = Pick<ObserverPorts, 'live' | 'waiting' | 'backlog' | 'damagedReads' | 'load' | 'cluster'>

/** Buckets that the semantic conventions advise. */
const TOKEN_BUCKETS = Array.from({ length: 14 }, (_, power) => 4 ** power)
const DURATION_BUCKETS_S = Array.from({ length: 14 }, (_, power) => 2 ** power / 100)
const APPEND_BUCKETS_S = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1]
const EVENT_LOOP_RESOLUTION_MS = 20
const READER_KINDS: ReadonlySet<string> = new Set(['readers', 'sockets'])

/** Records metrics. Labels have few values: agents, models and the server's own tools. */
export interface Meters {
  begun(run: Run): void
  done(run: Run, done: RunActivity): void
  appended(seconds: number): void
  close(): void
}

export function createMeters(meter: Meter, gauges: GaugeSources): Meters {
  const histogram = (name: string, unit: string, description: string, buckets: number[]) =>
    meter.createHistogram(name, { unit, description, advice: { explicitBucketBoundaries: buckets } })
  const tokens = histogram(metricNames.tokens, '{token}', 'Tokens that models read and wrote', TOKEN_BUCKETS)
  const duration = histogram(metricNames.duration, 's', 'How long models were asked', DURATION_BUCKETS_S)
  const firstChunk = histogram(
    metricNames.firstChunk,
    's',
    'How long models took to say something',
    DURATION_BUCKETS_S,
  )
  const tools = histogram('dragoman.tool.duration', 's', 'How long tools ran', DURATION_BUCKETS_S)
  const appends = histogram(
    'dragoman.log.append.duration',
    's',
    'How long the log took to keep entries',
    APPEND_BUCKETS_S,
  )
  const started = meter.createCounter('dragoman.runs.started', {
    unit: '{run}',
    description: 'Runs that were begun here',
  })
  const ended = meter.createCounter('dragoman.runs.ended', {
    unit: '{run}',
    description: 'Runs that ended here',
  })
  const suspended = meter.createCounter('dragoman.runs.parked', {
    unit: '{run}',
    description: 'Times that a run was parked until an answer',
  })
  const loop = createGauges(meter, gauges)

  const modelLabel = limitNames()
  const recordChat = ({ request }: Run, done: ModelCallActivity): void => {
    const label = request.ownKey ? nameOther : modelLabel
    const labels = { [attributeNames.operation]: 'chat', ...modelLabels(done.model, label) }
    const errorLabel = done.error === undefined ? {} : { [attributeNames.errorType]: done.error }
    duration.record((done.end - done.start) / 1000, { ...labels, ...errorLabel })
    if (done.first !== undefined) firstChunk.record((done.first - done.start) / 1000, labels)
    tokens.record(done.usage.inputTokens, { ...labels, [attributeNames.tokenType]: 'input' })
    tokens.record(done.usage.outputTokens, { ...labels, [attributeNames.tokenType]: 'output' })
  }
  return {
    begun: (run) => void (run.epoch === 1 && started.add(1, { [ownAttributeNames.agent]: run.agent })),
    done(run, done) {
      if (done.type === 'chat') recordChat(run, done)
      if (done.type === 'tool') tools.record((done.end - done.start) / 1000, toolLabels(done))
      if (done.type !== 'attempt' || done.outcome === 'left') return
      const labels = { [ownAttributeNames.agent]: run.agent }
      if (done.outcome === 'waiting') return suspended.add(1, labels)
      const errorLabel = done.error === undefined ? {} : { [attributeNames.errorType]: done.error }
      ended.add(1, { ...labels, [ownAttributeNames.outcome]: done.outcome, ...errorLabel })
    },
    appended: (seconds) => appends.record(seconds),
    close: () => loop.disable(),
  }
}

/** Names that a client or a model has made up would be without number. */
function toolLabels({ side, tool, error }: ToolCallActivity): Attributes {
  return {
    [ownAttributeNames.side]: side,
    ...(side === 'server' && { [attributeNames.tool]: tool }),
    ...(error !== undefined && { [attributeNames.errorType]: error }),
  }
}

/** Callers with their own keys may name any model: these names must not take the places of the server's own. */
const nameOther = (): string => 'other'
/** Callers may name models that the server does not know. */
const MAX_MODEL_NAMES = 200

/** Keeps names up to a limit; further names become `other`. */
function limitNames(): (name: string) => string {
  const names = new Set<string>()
  return (name) => {
    if (names.size < MAX_MODEL_NAMES) names.add(name)
    return names.has(name) ? name : 'other'
  }
}

function modelLabels(name: string | undefined, label: (name: string) => string): Attributes {
  if (name === undefined) return {}
  const { provider, model } = splitModelName(name)
  return { [attributeNames.provider]: label(provider), [attributeNames.model]: label(model) }
}

function createGauges(
  meter: Meter,
  { live, waiting, backlog, damagedReads, load, cluster }: GaugeSources,
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
  createLoadGauges(meter, load)
  createBacklogGauges(meter, backlog)
  meter
    .createObservableCounter('dragoman.log.damaged', {
      unit: '{read}',
      description: 'Reads of a log that met an entry which is damaged in the database',
    })
    .addCallback((to) => to.observe(damagedReads()))

  if (cluster?.health()) createClusterGauges(gauge, cluster)

  const loop = monitorEventLoopDelay({ resolution: EVENT_LOOP_RESOLUTION_MS })
  loop.enable()
  const mean = gauge(metricNames.loopMean, 's', 'How late the event loop was, since it was last asked')
  const p99 = gauge(
    metricNames.loopP99,
    's',
    'How late the event loop was at its latest, but for a hundredth',
  )
  const max = gauge(metricNames.loopMax, 's', 'How late the event loop was at its latest')
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

/** What callers hold, by kind and by pool: users, guests, and addresses without a user. */
function createLoadGauges(meter: Meter, load: GaugeSources['load']): void {
  const gauge = (name: string, description: string) => meter.createObservableGauge(name, { description })
  const used = gauge('dragoman.load.used', 'What callers hold')
  const limit = gauge('dragoman.load.limit', 'What callers may hold')
  const refusals = meter.createObservableCounter('dragoman.load.refusals', {
    description: 'What was refused or ended because a share was used up or the server was full',
  })
  meter.addBatchObservableCallback(
    (to) => {
      for (const { kind, pool, ...total } of load()) {
        to.observe(used, total.used, { kind, pool })
        if (Number.isFinite(total.limit)) to.observe(limit, total.limit, { kind, pool })
        to.observe(refusals, total.refusals, { kind, pool })
      }
    },
    [used, limit, refusals],
  )
}

/** What upkeep has not done yet. It is of the whole database, the same on each node. */
function createBacklogGauges(meter: Meter, backlog: GaugeSources['backlog']): void {
  const gauge = (name: string, unit: string, description: string) =>
    meter.createObservableGauge(name, { unit, description })
  const unpacked = gauge('dragoman.logs.unpacked', '{run}', 'Ended runs whose logs are due to be packed')
  const overdue = gauge('dragoman.logs.overdue', 's', 'How long the oldest log has been due for deletion')
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
  gauge('dragoman.notice.lag', 's', 'How long the latest notice took through the database').addCallback(
    (to) => {
      const { noticeLagMs } = cluster.health() ?? {}
      if (noticeLagMs !== undefined) to.observe(noticeLagMs / 1000)
    },
  )
}
