import type { MetricData, ResourceMetrics } from '@opentelemetry/sdk-metrics'

/** How Prometheus names the units that metrics here have. https://prometheus.io/docs/practices/naming/ */
const UNITS: ReadonlyMap<string, string> = new Map([
  ['s', 'seconds'],
  ['By', 'bytes'],
])

/** The same metrics, each with its unit at the end of its name. What is counted, such as `{run}`, is no unit. */
export function withUnits(collected: ResourceMetrics): ResourceMetrics {
  const scopeMetrics = collected.scopeMetrics.map(({ scope, metrics }) => ({
    scope,
    metrics: metrics.map(withUnit),
  }))
  return { ...collected, scopeMetrics }
}

function withUnit(metric: MetricData): MetricData {
  const { descriptor } = metric
  const unit = UNITS.get(descriptor.unit) ?? ''
  const name = unit === '' ? descriptor.name : `${descriptor.name}_${unit}`
  return { ...metric, descriptor: { ...descriptor, name, unit } }
}
