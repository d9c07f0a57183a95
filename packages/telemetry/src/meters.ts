import { monitorEventLoopDelay } from 'node:perf_hooks'

import type { Attributes, Meter } from '@opentelemetry/api'

import type { Run } from 'dragoman/events'
import type { ModelCallActivity, RunActivity, ObserverPorts, ToolCallActivity } from 'dragoman/observability'
import { metricNames, names, ownNames, providerOf } from './names.ts'

/** What is asked when metrics are. */
type Gauges = Pick<ObserverPorts, 'live' | 'waiting' | 'readers'>

/** The edges that the conventions advise. */
const TOKENS = Array.from({ length: 14 }, (_, power) => 4 ** power)
const SECONDS = Array.from({ length: 14 }, (_, power) => 2 ** power / 100)
const APPEND_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1]
const LOOP_RESOLUTION_MS = 20

/** Counts what happens. Labels are few: names of agents, models, and of tools that are ours. */
export interface Meters {
  begun(run: Run): void
  done(run: Run, done: RunActivity): void
  appended(seconds: number): void
  close(): void
}

export function meters(meter: Meter, gauges: Gauges): Meters {
  const histogram = (name: string, unit: string, description: string, edges: number[]) =>
    meter.createHistogram(name, { unit, description, advice: { explicitBucketBoundaries: edges } })
  const tokens = histogram(metricNames.tokens, '{token}', 'Tokens that models read and wrote', TOKENS)
  const duration = histogram(metricNames.duration, 's', 'How long models were asked', SECONDS)
  const firstChunk = histogram(metricNames.firstChunk, 's', 'How long models took to say something', SECONDS)
  const tools = histogram('dragoman.tool.duration', 's', 'How long tools ran', SECONDS)
  const appends = histogram(
    'dragoman.log.append.duration',
    's',
    'How long the log took to keep entries',
    APPEND_SECONDS,
  )
  const started = meter.createCounter('dragoman.runs.started', {
    unit: '{run}',
    description: 'Runs that were begun here',
  })
  const ended = meter.createCounter('dragoman.runs.ended', {
    unit: '{run}',
    description: 'Runs that ended here',
  })
  const parked = meter.createCounter('dragoman.runs.parked', {
    unit: '{run}',
    description: 'Times that a run was parked until an answer',
  })
  const loop = gaugesOf(meter, gauges)

  const modelLabel = fewNames()
  const chat = (done: ModelCallActivity): void => {
    const of = { [names.operation]: 'chat', ...ofModel(done.model, modelLabel) }
    const failed = done.error === undefined ? {} : { [names.errorType]: done.error }
    duration.record((done.end - done.start) / 1000, { ...of, ...failed })
    if (done.first !== undefined) firstChunk.record((done.first - done.start) / 1000, of)
    tokens.record(done.usage.inputTokens, { ...of, [names.tokenType]: 'input' })
    tokens.record(done.usage.outputTokens, { ...of, [names.tokenType]: 'output' })
  }
  return {
    begun: (run) => void (run.epoch === 1 && started.add(1, { [ownNames.agent]: run.agent })),
    done(run, done) {
      if (done.type === 'chat') chat(done)
      if (done.type === 'tool') tools.record((done.end - done.start) / 1000, labelsOf(done))
      if (done.type !== 'attempt' || done.outcome === 'left') return
      const of = { [ownNames.agent]: run.agent }
      if (done.outcome === 'waiting') return parked.add(1, of)
      const failed = done.error === undefined ? {} : { [names.errorType]: done.error }
      ended.add(1, { ...of, [ownNames.outcome]: done.outcome, ...failed })
    },
    appended: (seconds) => appends.record(seconds),
    close: () => loop.disable(),
  }
}

/** Names that a client or a model has made up would be without number. */
function labelsOf({ side, tool, error }: ToolCallActivity): Attributes {
  return {
    [ownNames.side]: side,
    ...(side === 'server' && { [names.tool]: tool }),
    ...(error !== undefined && { [names.errorType]: error }),
  }
}

/** A caller may name any model of their own. */
const MOST_MODELS = 200

/** The names themselves, as long as they are few; of more, the rest are one. */
function fewNames(): (name: string) => string {
  const known = new Set<string>()
  return (name) => {
    if (known.size < MOST_MODELS) known.add(name)
    return known.has(name) ? name : 'other'
  }
}

function ofModel(name: string | undefined, label: (name: string) => string): Attributes {
  if (name === undefined) return {}
  const { provider, model } = providerOf(name)
  return { [names.provider]: label(provider), [names.model]: label(model) }
}

function gaugesOf(meter: Meter, { live, waiting, readers }: Gauges): { disable(): void } {
  const gauge = (name: string, unit: string, description: string) =>
    meter.createObservableGauge(name, { unit, description })
  gauge('dragoman.runs.live', '{run}', 'Runs that are driven here').addCallback((to) => to.observe(live()))
  gauge('dragoman.runs.waiting', '{run}', 'Runs that wait for their user').addCallback(async (to) =>
    to.observe(await waiting()),
  )
  gauge('dragoman.readers', '{reader}', 'Answers that are open').addCallback((to) => to.observe(readers()))

  const loop = monitorEventLoopDelay({ resolution: LOOP_RESOLUTION_MS })
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
      // What is measured is the time between two looks, which are to be so far apart.
      const seconds = (nanoseconds: number): number =>
        Math.max(0, nanoseconds / 1e6 - LOOP_RESOLUTION_MS) / 1000 || 0
      to.observe(mean, seconds(loop.mean))
      to.observe(p99, seconds(loop.percentile(99)))
      to.observe(max, seconds(loop.max))
      loop.reset()
    },
    [mean, p99, max],
  )
  return loop
}
