import { MeterProvider, PeriodicExportingMetricReader, type IMetricReader } from '@opentelemetry/sdk-metrics'
import { PrometheusExporter, PrometheusSerializer } from '@opentelemetry/exporter-prometheus'
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { ATTR_SERVICE_VERSION } from '@opentelemetry/semantic-conventions'

import type { ObserverPorts, RunObserver } from 'dragoman/observability'
import type { Wanted } from './configured.ts'
import { exporters, type Exporters } from './exporters.ts'
import { meters } from './meters.ts'
import { nextIds, spanWriter } from './spans.ts'

/** What is kept for a collector that is away, at most; what comes after is lost. */
const MOST_SPANS = 2048
/** So long we wait for collectors when we close, in ms. */
const FLUSH_MS = 1500

/** Sends spans and metrics of what is over to their collectors. */
export function openOtel(wanted: Wanted, { version, warn, ...gauges }: ObserverPorts): RunObserver {
  const out = exporters(warn)
  const resource = defaultResource().merge(
    resourceFromAttributes({ [ATTR_SERVICE_VERSION]: version, ...wanted.resource }),
  )
  const ids = nextIds()
  const traces = new TracerProvider({ resource, idGenerator: ids, spanProcessors: processors(wanted, out) })
  const tracer = traces.getTracer('dragoman', version)
  const write = wanted.traces.length > 0 ? spanWriter({ tracer, ids, langfuse: wanted.langfuse }) : undefined

  const scraped = wanted.scraped ? new PrometheusExporter({ preventServerStart: true }) : undefined
  const provider = new MeterProvider({ resource, readers: readers(wanted, out, scraped) })
  const counted = meters(provider.getMeter('dragoman', version), gauges)
  return {
    onStart: counted.begun,
    onActivity(run, done) {
      counted.done(run, done)
      write?.(run, done)
    },
    onAppend: counted.appended,
    scrape: scraped && (() => scrape(scraped)),
    async close() {
      counted.close()
      const isTaken = await soon(Promise.allSettled([traces.shutdown(), provider.shutdown()]))
      if (!isTaken)
        warn('What was left of telemetry when the server closed was not taken in time, and is lost.')
      out.cut()
    },
  }
}

function processors({ traces, every }: Wanted, out: Exporters): BatchSpanProcessor[] {
  return traces.map(
    (collector) =>
      new BatchSpanProcessor({
        exporter: out.spans(collector),
        maxQueueSize: MOST_SPANS,
        scheduledDelayMillis: every.spans,
      }),
  )
}

function readers(
  { metrics, every }: Wanted,
  out: Exporters,
  scraped: PrometheusExporter | undefined,
): IMetricReader[] {
  const pushed = metrics.map(
    (collector) =>
      new PeriodicExportingMetricReader({
        exporter: out.metrics(collector),
        exportIntervalMillis: every.metrics,
      }),
  )
  return [...pushed, ...(scraped ? [scraped] : [])]
}

const serializer = new PrometheusSerializer('', false, undefined, false, true)

async function scrape(reader: PrometheusExporter): Promise<string> {
  const { resourceMetrics } = await reader.collect()
  return `${serializer.serialize(resourceMetrics).trimEnd()}\n`
}

/** Whether it is done soon: what is not is waited for no longer. */
async function soon(work: Promise<unknown>): Promise<boolean> {
  const late = Promise.withResolvers<false>()
  const timer = setTimeout(() => late.resolve(false), FLUSH_MS)
  const isDone = await Promise.race([work.then(() => true), late.promise])
  clearTimeout(timer)
  return isDone
}
