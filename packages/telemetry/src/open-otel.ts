import { MeterProvider, PeriodicExportingMetricReader, type IMetricReader } from '@opentelemetry/sdk-metrics'
import { PrometheusExporter, PrometheusSerializer } from '@opentelemetry/exporter-prometheus'
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { ATTR_SERVICE_VERSION } from '@opentelemetry/semantic-conventions'

import type { ObserverPorts, RunObserver } from 'dragoman/observability'
import type { TelemetryConfig } from './telemetry-config.ts'
import { createExporters, type Exporters } from './exporters.ts'
import { createMeters } from './meters.ts'
import { withUnits } from './prometheus-names.ts'
import { createPresetIds, createSpanWriter } from './span-writer.ts'

/** Spans that wait for a collector; further ones are lost. */
const MAX_QUEUED_SPANS = 2048
const FLUSH_TIMEOUT_MS = 1500

/** Exports spans and metrics of finished work to the collectors. */
export function openOtel(
  config: TelemetryConfig,
  { version, warn, hashUser, ...gauges }: ObserverPorts,
): RunObserver {
  const exporters = createExporters(warn)
  const resource = defaultResource().merge(
    resourceFromAttributes({ [ATTR_SERVICE_VERSION]: version, ...config.resource }),
  )
  const ids = createPresetIds()
  const traces = new TracerProvider({
    resource,
    idGenerator: ids,
    spanProcessors: createSpanProcessors(config, exporters),
  })
  const tracer = traces.getTracer('dragoman', version)
  const write =
    config.traces.length > 0
      ? createSpanWriter({ tracer, ids, hashUser, langfuse: config.langfuse })
      : undefined

  const prometheus = config.prometheus ? new PrometheusExporter({ preventServerStart: true }) : undefined
  const provider = new MeterProvider({
    resource,
    readers: createMetricReaders(config, exporters, prometheus),
  })
  const meters = createMeters(provider.getMeter('dragoman', version), gauges)
  return {
    onStart: meters.begun,
    onActivity(run, done) {
      meters.done(run, done)
      write?.(run, done)
    },
    onAppend: meters.appended,
    onServerEvent: meters.happened,
    scrape: prometheus && (() => scrape(prometheus)),
    async close() {
      meters.close()
      const isFlushed = await finishesInTime(Promise.allSettled([traces.shutdown(), provider.shutdown()]))
      if (!isFlushed)
        warn('What was left of telemetry when the server closed was not taken in time, and is lost.')
      exporters.abort()
    },
  }
}

function createSpanProcessors(
  { traces, intervalsMs }: TelemetryConfig,
  exporters: Exporters,
): BatchSpanProcessor[] {
  return traces.map(
    (collector) =>
      new BatchSpanProcessor({
        exporter: exporters.spans(collector),
        maxQueueSize: MAX_QUEUED_SPANS,
        scheduledDelayMillis: intervalsMs.spans,
      }),
  )
}

function createMetricReaders(
  { metrics, intervalsMs }: TelemetryConfig,
  exporters: Exporters,
  prometheus: PrometheusExporter | undefined,
): IMetricReader[] {
  const pushReaders = metrics.map(
    (collector) =>
      new PeriodicExportingMetricReader({
        exporter: exporters.metrics(collector),
        exportIntervalMillis: intervalsMs.metrics,
      }),
  )
  return [...pushReaders, ...(prometheus ? [prometheus] : [])]
}

const serializer = new PrometheusSerializer('', false, undefined, false, true)

async function scrape(reader: PrometheusExporter): Promise<string> {
  const { resourceMetrics } = await reader.collect()
  return `${serializer.serialize(withUnits(resourceMetrics)).trimEnd()}\n`
}

/** Whether the work ends within the timeout. */
async function finishesInTime(work: Promise<unknown>): Promise<boolean> {
  const late = Promise.withResolvers<false>()
  const timer = setTimeout(() => late.resolve(false), FLUSH_TIMEOUT_MS)
  const isDone = await Promise.race([work.then(() => true), late.promise])
  clearTimeout(timer)
  return isDone
}
