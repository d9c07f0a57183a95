import { describe, expect, it } from 'vitest'

import { readTelemetryConfig, type Settings } from './telemetry-config.ts'

const read = (env: Settings['env'] = {}, telemetry: Settings['sections']['telemetry'] = null) =>
  readTelemetryConfig({ env, sections: { telemetry }, metrics: false })

const otlp = { endpoint: 'http://collector:4318', headers: { 'x-key': 'of-file' } }
const secret = 'sk-very-secret'

describe('readTelemetryConfig', () => {
  it('returns undefined without settings', () => {
    expect(read()).toBeUndefined()
    expect(read({ OTEL_SERVICE_NAME: 'x', OTEL_SDK_DISABLED: 'true' }, { otlp })).toBeUndefined()
    expect(readTelemetryConfig({ env: {}, sections: { telemetry: null }, metrics: true })).toMatchObject({
      prometheus: true,
      traces: [],
      metrics: [],
      resource: { 'service.name': 'dragoman' },
    })
  })

  it('reads the standard variables', () => {
    const found = read({
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/',
      OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: 'https://metrics/take',
      OTEL_EXPORTER_OTLP_HEADERS: 'x-key=a%20b, x-other=c',
      OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'x-other=d',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test,service.name=not-this',
      OTEL_SERVICE_NAME: 'chat',
      OTEL_BSP_SCHEDULE_DELAY: '50',
    })

    expect(found?.traces).toEqual([
      { url: 'http://collector:4318/v1/traces', headers: { 'x-key': 'a b', 'x-other': 'd' } },
    ])
    expect(found?.metrics).toEqual([
      { url: 'https://metrics/take', headers: { 'x-key': 'a b', 'x-other': 'c' } },
    ])
    expect(found?.resource).toEqual({ 'deployment.environment.name': 'test', 'service.name': 'chat' })
    expect(found?.intervalsMs).toEqual({ spans: 50, metrics: 60_000 })
  })

  it('reads config.yaml, whose headers go only to its own endpoint', () => {
    expect(read({}, { otlp })?.traces).toEqual([
      { url: 'http://collector:4318/v1/traces', headers: otlp.headers },
    ])
    expect(read({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://else' }, { otlp })?.traces).toEqual([
      { url: 'http://else/v1/traces', headers: {} },
    ])
    expect(read({ OTEL_METRICS_EXPORTER: 'none' }, { otlp })?.metrics).toEqual([])
  })

  it('sends traces to Langfuse', () => {
    const keys = { LANGFUSE_PUBLIC_KEY: 'pk', LANGFUSE_SECRET_KEY: 'sk' }
    const headers = expect.objectContaining({ authorization: 'Basic cGs6c2s=' })

    expect(read(keys)).toMatchObject({ langfuse: true, metrics: [] })
    expect(read(keys)?.traces).toEqual([
      { url: 'https://cloud.langfuse.com/api/public/otel/v1/traces', headers },
    ])
    expect(read({ ...keys, LANGFUSE_HOST: 'http://fuse:3000/' })?.traces[0]?.url).toBe(
      'http://fuse:3000/api/public/otel/v1/traces',
    )
    const langfuse = { baseUrl: 'http://own', publicKey: 'pk', secretKey: 'sk' }
    expect(read({}, { langfuse })?.traces).toEqual([{ url: 'http://own/api/public/otel/v1/traces', headers }])
  })

  it.each([
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: secret }, null, /^OTEL_EXPORTER_OTLP_ENDPOINT must be an address/],
    [{ OTEL_EXPORTER_OTLP_HEADERS: secret }, null, /^OTEL_EXPORTER_OTLP_HEADERS must be pairs/],
    [{ LANGFUSE_PUBLIC_KEY: secret }, null, /LANGFUSE_SECRET_KEY/],
    [
      { OTEL_BSP_SCHEDULE_DELAY: secret, LANGFUSE_PUBLIC_KEY: 'a', LANGFUSE_SECRET_KEY: 'b' },
      null,
      /^OTEL_BSP/,
    ],
    [{}, { otlp: {} }, /^config\.yaml: telemetry.otlp.endpoint is missing/],
    [{}, { otlp: { endpoint: secret } }, /^config\.yaml: telemetry.otlp.endpoint must be an address/],
    [{}, { otpl: secret }, /^config\.yaml: telemetry.otpl is not known: is otlp meant/],
    [{}, { langfuse: { publicKey: secret } }, /^config\.yaml: telemetry.langfuse.secretKey is missing/],
  ])('names the invalid setting: %j %j', (env, section, words) => {
    expect(() => read({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c', ...env }, section)).toThrow(words)
    expect(() => read({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c', ...env }, section)).not.toThrow(secret)
  })
})
