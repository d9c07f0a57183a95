import type { Attributes, Meter } from '@opentelemetry/api'

import type { Run } from 'dragoman/events'
import type { ModelCallActivity, RunActivity, ServerEvent, ToolCallActivity } from 'dragoman/observability'
import { metricNames, attributeNames, ownAttributeNames, splitModelName } from './attribute-names.ts'
import { createGauges, type GaugeSources } from './gauges.ts'
import { createServerMeters } from './server-meters.ts'

/** Buckets that the semantic conventions advise. */
const TOKEN_BUCKETS = Array.from({ length: 14 }, (_, power) => 4 ** power)
const DURATION_BUCKETS_S = Array.from({ length: 14 }, (_, power) => 2 ** power / 100)
const APPEND_BUCKETS_S = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1]

/** Records metrics. Labels have few values: agents, models and the server's own tools. */
export interface Meters {
  begun(run: Run): void
  done(run: Run, done: RunActivity): void
  appended(seconds: number): void
  happened(event: ServerEvent): void
  close(): void
}

export function createMeters(meter: Meter, gauges: GaugeSources): Meters {
  const histogram = (name: string, unit: string, description: string, buckets: number[]) =>
    meter.createHistogram(name, { unit, description, advice: { explicitBucketBoundaries: buckets } })
  const tokens = histogram(metricNames.tokens, '{token}', 'Tokens that models read and wrote', TOKEN_BUCKETS)
  const duration = histogram(
    metricNames.duration,
    's',
    'How long models were asked, in seconds',
    DURATION_BUCKETS_S,
  )
  const firstChunk = histogram(
    metricNames.firstChunk,
    's',
    'How long models took to say something, in seconds',
    DURATION_BUCKETS_S,
  )
  const tools = histogram('dragoman.tool.duration', 's', 'How long tools ran, in seconds', DURATION_BUCKETS_S)
  const appends = histogram(
    'dragoman.log.append.duration',
    's',
    'How long the log took to keep entries, in seconds',
    APPEND_BUCKETS_S,
  )
  const counter = (name: string, description: string) =>
    meter.createCounter(name, { unit: '{run}', description })
  const started = counter('dragoman.runs.started', 'Runs that were begun here')
  const ended = counter('dragoman.runs.ended', 'Runs that ended here')
  const suspended = counter('dragoman.runs.suspended', 'Times that a run was suspended until an answer')
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
    happened: createServerMeters(meter),
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
