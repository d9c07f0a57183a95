import type { ServerPlugin } from 'dragoman/server'
import { wantedOf } from './configured.ts'

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
      const wanted = wantedOf(config)
      if (!wanted) return undefined
      const { openOtel } = await import('./otel.ts')
      return openOtel(wanted, ports)
    },
  }
}
