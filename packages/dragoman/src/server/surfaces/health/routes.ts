import { Hono } from 'hono'
import { z } from 'zod'

import { describeRoute, type Operation } from '../../../agents/index.ts'
import { ServiceError } from '../../../errors.ts'
import type { HttpEnv } from '../../http/index.ts'
import { bufferingProbe } from './buffering-probe.ts'

export type HealthOptions = {
  readonly version: string
  /** Agent ids. */
  readonly agents: readonly string[]
  /** Rejects if the server cannot work. */
  readonly ready: () => Promise<void>
  /** The metrics as Prometheus reads them, if the server publishes them. */
  readonly scrape: (() => Promise<string>) | undefined
}

/** Health, readiness and metrics. */
export function healthRoutes({ version, agents, ready, scrape }: HealthOptions): Hono<HttpEnv> {
  return new Hono<HttpEnv>()
    .get('/health', describeRoute(showHealth), (c) => c.json({ status: 'ok', version, capabilities: agents }))
    .get('/health/stream', describeRoute(showBeats), bufferingProbe)
    .get('/ready', describeRoute(showReady), async (c) => {
      await ready()
      return c.json({ status: 'ready' })
    })
    .get('/metrics', describeRoute(showMetrics), async (c) => {
      // They name agents, models and users' loads.
      if (!c.get('isOwner'))
        throw new ServiceError('forbidden', 'Only the owner of the server reads its metrics.')
      if (scrape) return c.text(await scrape(), 200, { 'content-type': METRICS })
      throw new ServiceError(
        'not-found',
        'Metrics are off: start the server with --metrics, or set metrics: true.',
      )
    })
}

const group = 'Server'

const showHealth: Operation = {
  group,
  summary: 'Whether the server is there',
  responses: {
    200: {
      description: 'It is.',
      json: z.object({ status: z.literal('ok'), version: z.string(), capabilities: z.array(z.string()) }),
    },
  },
}

const showBeats: Operation = {
  group,
  summary: 'Five events, 200 ms apart',
  description: 'If they all arrive at once, a proxy buffers streams.',
  responses: {
    200: {
      description: 'The events.',
      streams: [
        {
          contentType: 'text/event-stream',
          protocol: 'beats',
          example: 'data: {"beat":1,"of":5,"at":1795304195948}\n\n',
        },
      ],
    },
  },
}

const showReady: Operation = {
  group,
  summary: 'Whether the server can work',
  responses: {
    200: {
      description: 'The database answers, its files are where they were, and all saved keys can be opened.',
      json: z.object({ status: z.literal('ready') }),
    },
  },
  errors: ['unavailable'],
}

/** What Prometheus calls its text. */
const METRICS = 'text/plain; version=0.0.4; charset=utf-8'

const showMetrics: Operation = {
  group,
  summary: 'How the server does, as Prometheus reads it',
  description: 'Only where the server was started with --metrics, and for its owner only.',
  responses: { 200: { description: 'The metrics.', contentType: 'text/plain' } },
  errors: ['forbidden', 'not-found'],
}
