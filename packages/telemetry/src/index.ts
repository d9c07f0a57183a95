import type { ServerPlugin } from 'dragoman/server'
import { readTelemetryConfig } from './telemetry-config.ts'

/**
 * Sends traces and metrics by OpenTelemetry, and serves metrics to Prometheus. The environment and the section
 * `telemetry` of `config.yaml` say where to. Nothing is loaded where they say nothing.
 *
 * @example
 * const server = await createServer({ agents: [dice], plugins: [telemetry()] })
 */
export function telemetry(): ServerPlugin {
  return {
    name: 'telemetry',
    async observe(config, ports) {
      const settings = readTelemetryConfig(config)
      if (!settings) return undefined
      const { openOtel } = await import('./open-otel.ts')
      return openOtel(settings, ports)
    },
  }
}
