import type { Counter, Histogram, Meter } from '@opentelemetry/api'

import type { ServerEvent } from 'dragoman/observability'
import { attributeNames } from './attribute-names.ts'

/** Buckets that the semantic conventions advise. */
const REQUEST_BUCKETS_S = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
const REFUSALS = ['quota', 'rate-limit', 'overload', 'storage'] as const

/** Counts what is no activity of a run. Counters begin at zero, so that a first event is a rise. */
export function createServerMeters(meter: Meter): (event: ServerEvent) => void {
  const requests = meter.createHistogram('http.server.request.duration', {
    unit: 's',
    description: 'How long requests waited until their responses began, in seconds',
    advice: { explicitBucketBoundaries: REQUEST_BUCKETS_S },
  })
  const refusals = meter.createCounter('dragoman.refusals', {
    unit: '{request}',
    description: 'Requests that were refused for a quota, a rate, the load or storage',
  })
  const takenOver = meter.createCounter('dragoman.runs.taken_over', {
    unit: '{run}',
    description: 'Runs that another node had begun and that went on here',
  })
  const handedOver = meter.createCounter('dragoman.runs.handed_over', {
    unit: '{run}',
    description: 'Runs that were given up here for other nodes',
  })
  for (const kind of REFUSALS) refusals.add(0, { kind })
  for (const because of ['crash', 'shutdown']) takenOver.add(0, { because })
  handedOver.add(0)
  return (event) => count(event, { requests, refusals, takenOver, handedOver })
}

type Instruments = {
  readonly requests: Histogram
  readonly refusals: Counter
  readonly takenOver: Counter
  readonly handedOver: Counter
}

function count(event: ServerEvent, { requests, refusals, takenOver, handedOver }: Instruments): void {
  switch (event.type) {
    case 'request':
      return requests.record(event.seconds, {
        // A client may make methods and paths up.
        [attributeNames.method]: METHODS.has(event.method) ? event.method : '_OTHER',
        ...(event.route !== undefined && { [attributeNames.route]: event.route }),
        [attributeNames.status]: event.status,
      })
    case 'refusal':
      return refusals.add(1, { kind: event.kind })
    case 'take-over':
      return takenOver.add(1, { because: event.because })
    case 'hand-over':
      return handedOver.add(1)
  }
}
