import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'

import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import type { PushMetricExporter } from '@opentelemetry/sdk-metrics'
import type { SpanExporter } from '@opentelemetry/sdk-trace'

import type { Collector } from './configured.ts'

/** A collector that has not taken what it was sent by then is given up, in ms. */
const TAKEN_WITHIN_MS = 10_000
/** A collector that is away is told of so often at most, in ms. */
const TOLD_EVERY_MS = 60_000

/** The ways to the collectors. What a collector does not take is lost, and told in the log: a run knows nothing of it. */
export interface Exporters {
  spans(collector: Collector): SpanExporter
  metrics(collector: Collector): PushMetricExporter
  /** Breaks off what is still under way. */
  cut(): void
}

export function exporters(tell: (problem: string) => void): Exporters {
  let isCut = false
  const warn = (problem: string): void => void (isCut || tell(problem))
  const open = new Set<HttpAgent>()
  const optionsOf = ({ url, headers }: Collector) => {
    const agent = url.startsWith('https:')
      ? new HttpsAgent({ keepAlive: true })
      : new HttpAgent({ keepAlive: true })
    open.add(agent)
    return { url, headers: { ...headers }, timeoutMillis: TAKEN_WITHIN_MS, httpAgentOptions: () => agent }
  }
  return {
    spans: (collector) =>
      watched(
        withoutHeaders(() => new OTLPTraceExporter(optionsOf(collector))),
        collector,
        warn,
      ),
    metrics: (collector) =>
      watched(
        withoutHeaders(() => new OTLPMetricExporter(optionsOf(collector))),
        collector,
        warn,
      ),
    cut() {
      isCut = true
      for (const agent of open) {
        // What would be tried again fails at once.
        agent.createConnection = () => {
          throw new Error('The server is closing.')
        }
        agent.destroy()
      }
    },
  }
}

type Result = { readonly code: number; readonly error?: Error }
type Exporting = { export(items: never, told: (result: Result) => void): void }

/** Tells once a minute at most that a collector takes nothing: its address and what Node says of the line, and no word of its answer. */
function watched<E extends Exporting>(exporter: E, { url }: Collector, warn: (problem: string) => void): E {
  const send = exporter.export.bind(exporter)
  let toldAt = -Infinity
  exporter.export = (items, told) =>
    send(items, (result) => {
      if (result.code !== 0 && performance.now() - toldAt > TOLD_EVERY_MS) {
        toldAt = performance.now()
        warn(`${placeOf(url)} takes no telemetry (${reasonOf(result.error)}): what it does not take is lost.`)
      }
      told(result)
    })
  return exporter
}

/** Without what may be a secret in it. */
function placeOf(url: string): string {
  const { origin, pathname } = new URL(url)
  return origin + pathname
}

function reasonOf(error: Error | undefined): string {
  const code = error && 'code' in error ? error.code : undefined
  return typeof code === 'string' || typeof code === 'number' ? `${code}` : 'no answer in time'
}

const HEADERS = [
  'OTEL_EXPORTER_OTLP_HEADERS',
  'OTEL_EXPORTER_OTLP_TRACES_HEADERS',
  'OTEL_EXPORTER_OTLP_METRICS_HEADERS',
]

/** The exporters would add the headers that the environment has for one collector to those of every other. */
function withoutHeaders<T>(make: () => T): T {
  const kept = HEADERS.map((name) => [name, process.env[name]] as const)
  for (const name of HEADERS) delete process.env[name]
  try {
    return make()
  } finally {
    for (const [name, value] of kept) if (value !== undefined) process.env[name] = value
  }
}
