import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'

import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import type { PushMetricExporter } from '@opentelemetry/sdk-metrics'
import type { SpanExporter } from '@opentelemetry/sdk-trace'

import type { Collector } from './telemetry-config.ts'

const EXPORT_TIMEOUT_MS = 10_000
/** A failing collector is reported at most once per interval. */
const WARNING_INTERVAL_MS = 60_000

/** Exporters to the collectors. What a collector does not accept is lost and logged; runs are not affected. */
export interface Exporters {
  spans(collector: Collector): SpanExporter
  metrics(collector: Collector): PushMetricExporter
  /** Aborts pending exports. */
  abort(): void
}

export function createExporters(tell: (problem: string) => void): Exporters {
  let isAborted = false
  const warn = (problem: string): void => void (isAborted || tell(problem))
  const httpAgents = new Set<HttpAgent>()
  const optionsOf = ({ url, headers }: Collector) => {
    const agent = url.startsWith('https:')
      ? new HttpsAgent({ keepAlive: true })
      : new HttpAgent({ keepAlive: true })
    httpAgents.add(agent)
    return { url, headers: { ...headers }, timeoutMillis: EXPORT_TIMEOUT_MS, httpAgentOptions: () => agent }
  }
  return {
    spans: (collector) =>
      withFailureWarnings(
        withoutHeaderVariables(() => new OTLPTraceExporter(optionsOf(collector))),
        collector,
        warn,
      ),
    metrics: (collector) =>
      withFailureWarnings(
        withoutHeaderVariables(() => new OTLPMetricExporter(optionsOf(collector))),
        collector,
        warn,
      ),
    abort() {
      isAborted = true
      for (const agent of httpAgents) {
        // Retries fail at once.
        agent.createConnection = () => {
          throw new Error('The server is closing.')
        }
        agent.destroy()
      }
    },
  }
}

type Result = { readonly code: number; readonly error?: Error }
type Exporter = { export(items: never, onResult: (result: Result) => void): void }

/** Warns at most once a minute about a failing collector: its address and Node's error code, without its response. */
function withFailureWarnings<E extends Exporter>(
  exporter: E,
  { url }: Collector,
  warn: (problem: string) => void,
): E {
  const send = exporter.export.bind(exporter)
  let warnedAt = -Infinity
  exporter.export = (items, onResult) =>
    send(items, (result) => {
      if (result.code !== 0 && performance.now() - warnedAt > WARNING_INTERVAL_MS) {
        warnedAt = performance.now()
        warn(
          `${withoutQuery(url)} takes no telemetry (${reasonOf(result.error)}): what it does not take is lost.`,
        )
      }
      onResult(result)
    })
  return exporter
}

/** The URL without its query and credentials, which may be secret. */
function withoutQuery(url: string): string {
  const { origin, pathname } = new URL(url)
  return origin + pathname
}

function reasonOf(error: Error | undefined): string {
  const code = error && 'code' in error ? error.code : undefined
  return typeof code === 'string' || typeof code === 'number' ? `${code}` : 'no answer in time'
}

const HEADER_VARIABLES = [
  'OTEL_EXPORTER_OTLP_HEADERS',
  'OTEL_EXPORTER_OTLP_TRACES_HEADERS',
  'OTEL_EXPORTER_OTLP_METRICS_HEADERS',
]

/** The exporters would send headers of the environment to every collector. */
function withoutHeaderVariables<T>(make: () => T): T {
  const saved = HEADER_VARIABLES.map((name) => [name, process.env[name]] as const)
  for (const name of HEADER_VARIABLES) delete process.env[name]
  try {
    return make()
  } finally {
    for (const [name, value] of saved) if (value !== undefined) process.env[name] = value
  }
}
