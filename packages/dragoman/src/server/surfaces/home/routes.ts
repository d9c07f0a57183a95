import { Hono } from 'hono'
import { z } from 'zod'

import { describeRoute, type Operation } from '../../../agents/index.ts'
import { ServiceError } from '../../../errors.ts'
import type { HttpEnv } from '../../http/index.ts'
import { bufferingProbe } from './buffering-probe.ts'
import { homeLanguage, homePage, type HomeAgent } from './home-page.ts'
import { sendPage } from '../html-page.ts'

export type HomeOptions = {
  readonly version: string
  readonly agents: readonly HomeAgent[]
  /** Rejects if the server cannot work. */
  readonly ready: () => Promise<void>
  /** The metrics as Prometheus reads them, if the server publishes them. */
  readonly scrape: (() => Promise<string>) | undefined
}

/** The landing page, health, readiness and metrics. */
export function homeRoutes({ ready, scrape, ...shown }: HomeOptions): Hono<HttpEnv> {
  const { version } = shown
  const agents = shown.agents.map(({ id }) => id)
  return new Hono<HttpEnv>()
    .get('/', describeRoute(show), async (c) => {
      const language = homeLanguage(c.req.header('accept-language'))
      const page = await homePage(shown, { origin: new URL(c.req.url).origin, language })
      return sendPage(c, { title: 'dragoman', language, content: page })
    })
    .get('/health', describeRoute(showHealth), (c) => c.json({ status: 'ok', version, capabilities: agents }))
    .get('/health/stream', describeRoute(showBeats), bufferingProbe)
    .get('/ready', describeRoute(showReady), async (c) => {
      await ready()
      return c.json({ status: 'ready' })
    })
    .get('/metrics', describeRoute(showMetrics), async (c) => {
      if (scrape) return c.text(await scrape(), 200, { 'content-type': METRICS })
      throw new ServiceError(
        'not-found',
        'Metrics are off: start the server with --metrics, or set metrics: true.',
      )
    })
}

const group = 'Server'

const show: Operation = {
  group,
  summary: 'A page with the agents, what is missing, and commands that work here',
  responses: { 200: { description: 'The page.', contentType: 'text/html' } },
}

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
      description: 'The database answers, and its files are where they were.',
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
  description: 'Only where the server was started with --metrics.',
  responses: { 200: { description: 'The metrics.', contentType: 'text/plain' } },
  errors: ['not-found'],
}
