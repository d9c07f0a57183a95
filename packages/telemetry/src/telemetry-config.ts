import { z } from 'zod'

import { ServiceError } from 'dragoman/errors'
import type { Json } from 'dragoman/events'
import { readSection } from 'dragoman/home-files'

/** A receiver of exported data. */
export type Collector = { readonly url: string; readonly headers: Readonly<Record<string, string>> }

/** The configured exports. */
export type TelemetryConfig = {
  readonly traces: readonly Collector[]
  readonly metrics: readonly Collector[]
  /** Whether spans carry what Langfuse reads. */
  readonly langfuse: boolean
  /** Whether `/metrics` serves metrics to Prometheus. */
  readonly prometheus: boolean
  readonly resource: Readonly<Record<string, string>>
  /** Export intervals of spans and metrics, in ms. */
  readonly intervalsMs: { readonly spans: number; readonly metrics: number }
}

export type Settings = {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly sections: { readonly telemetry: Json }
  /** Whether `/metrics` answers. */
  readonly metrics: boolean
}

const addressSchema = z
  .string()
  .refine((text) => isAddress(text), 'must be an address like http://127.0.0.1:4318')
  .transform((text) => text.replace(/(?<!\/)\/+$/, ''))
const text = z.string().min(1)

const sectionSchema = z.strictObject({
  otlp: z
    .strictObject({ endpoint: addressSchema, headers: z.record(text, z.string()).optional() })
    .optional(),
  langfuse: z
    .strictObject({ baseUrl: addressSchema.optional(), publicKey: text, secretKey: text })
    .optional(),
})
type Section = z.infer<typeof sectionSchema>

const LANGFUSE_URL = 'https://cloud.langfuse.com'

/**
 * Reads the configuration. Variables override `config.yaml`. Undefined if nothing is configured.
 * @throws ServiceError `invalid-request`
 */
export function readTelemetryConfig({
  env,
  sections,
  metrics: scraped,
}: Settings): TelemetryConfig | undefined {
  const file = readSection('telemetry', sections.telemetry, sectionSchema) ?? {}
  const isOff = env['OTEL_SDK_DISABLED']?.toLowerCase() === 'true'
  const langfuse = isOff ? [] : readLangfuse(env, file.langfuse)
  const traces = isOff ? [] : [...readCollectors(env, file, 'TRACES'), ...langfuse]
  const metrics = isOff ? [] : readCollectors(env, file, 'METRICS')
  if (traces.length + metrics.length === 0 && !scraped) return undefined
  const { 'service.name': serviceName = 'dragoman', ...resource } = readPairs(env, 'OTEL_RESOURCE_ATTRIBUTES')
  return {
    traces,
    metrics,
    langfuse: langfuse.length > 0,
    prometheus: scraped,
    resource: { ...resource, 'service.name': env['OTEL_SERVICE_NAME'] ?? serviceName },
    intervalsMs: {
      spans: readMilliseconds(env, 'OTEL_BSP_SCHEDULE_DELAY', 5000),
      metrics: readMilliseconds(env, 'OTEL_METRIC_EXPORT_INTERVAL', 60_000),
    },
  }
}

/** Headers of the file go only to the file's endpoint: they are ignored if a variable sets the endpoint. */
function readCollectors(env: Settings['env'], { otlp }: Section, signal: 'TRACES' | 'METRICS'): Collector[] {
  if (env[`OTEL_${signal}_EXPORTER`] === 'none') return []
  const own = readAddress(env, `OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`)
  const base = readAddress(env, 'OTEL_EXPORTER_OTLP_ENDPOINT')
  const value = {
    ...readPairs(env, 'OTEL_EXPORTER_OTLP_HEADERS'),
    ...readPairs(env, `OTEL_EXPORTER_OTLP_${signal}_HEADERS`),
  }
  if (own !== undefined) return [{ url: own, headers: value }]
  const path = `/v1/${signal.toLowerCase()}`
  if (base !== undefined) return [{ url: base.replace(/(?<!\/)\/+$/, '') + path, headers: value }]
  return otlp ? [{ url: otlp.endpoint + path, headers: { ...otlp.headers, ...value } }] : []
}

function readLangfuse(env: Settings['env'], file: Section['langfuse']): Collector[] {
  const { LANGFUSE_PUBLIC_KEY: publicKey, LANGFUSE_SECRET_KEY: secretKey } = env
  if ((publicKey === undefined) !== (secretKey === undefined)) {
    throw invalidConfig(
      'LANGFUSE_PUBLIC_KEY and LANGFUSE_SECRET_KEY belong together: one of them is missing.',
    )
  }
  const baseUrl = readAddress(env, 'LANGFUSE_BASE_URL') ?? readAddress(env, 'LANGFUSE_HOST')
  if (publicKey !== undefined && secretKey !== undefined)
    return [langfuseCollector(baseUrl, publicKey, secretKey)]
  return file ? [langfuseCollector(file.baseUrl, file.publicKey, file.secretKey)] : []
}

function langfuseCollector(baseUrl: string | undefined, publicKey: string, secretKey: string): Collector {
  const secret = Buffer.from(`${publicKey}:${secretKey}`).toString('base64')
  return {
    url: `${(baseUrl ?? LANGFUSE_URL).replace(/(?<!\/)\/+$/, '')}/api/public/otel/v1/traces`,
    headers: { authorization: `Basic ${secret}`, 'x-langfuse-ingestion-version': '4' },
  }
}

function readAddress(env: Settings['env'], name: string): string | undefined {
  const value = env[name]
  if (value === undefined || isAddress(value)) return value
  throw invalidConfig(`${name} must be an address like http://127.0.0.1:4318.`)
}

function isAddress(value: string): boolean {
  return /^https?:$/.test(URL.parse(value)?.protocol ?? '')
}

/** Reads pairs like `a=1,b=2`, percent-encoded. @throws ServiceError without the value, which may be a key */
function readPairs(env: Settings['env'], name: string): Record<string, string> {
  const parts = (env[name] ?? '').split(',').filter((part) => part.trim() !== '')
  try {
    return Object.fromEntries(
      parts.map((part) => {
        const at = part.indexOf('=')
        if (at < 1) throw new Error('no pair')
        return [decodeURIComponent(part.slice(0, at).trim()), decodeURIComponent(part.slice(at + 1).trim())]
      }),
    )
  } catch {
    throw invalidConfig(`${name} must be pairs like name=value,other=value.`)
  }
}

function readMilliseconds(env: Settings['env'], name: string, otherwise: number): number {
  const value = env[name]
  if (value === undefined) return otherwise
  if (/^[1-9]\d{0,8}$/.test(value)) return Number(value)
  throw invalidConfig(`${name} must be a whole number of milliseconds.`)
}

function invalidConfig(sentence: string): ServiceError {
  return new ServiceError('invalid-request', sentence)
}
