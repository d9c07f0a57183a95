import { Hono } from 'hono'
import { html } from 'hono/html'
import { z } from 'zod'

import { described, type Operation } from '../../agents/index.ts'
import { ServiceError } from '../../errors.ts'
import type { HttpEnv } from '../http/index.ts'
import { beats } from './beats.ts'
import { agentEntries, serverEntries, type Entry } from './home-entries.ts'
import { answerPage, type Markup } from './page.ts'

/** An agent on the landing page. */
type HomeAgent = {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly examples: ((origin: string) => readonly Entry[]) | undefined
}

export type HomeOptions = {
  readonly version: string
  readonly agents: readonly HomeAgent[]
  /** The names of all wire formats. */
  readonly protocols: readonly string[]
  /** Rejects where the server cannot do its work. */
  readonly ready: () => Promise<void>
  /** How the server does, as Prometheus reads it, where that may be asked. */
  readonly scrape: (() => Promise<string>) | undefined
}

/** Whether we are well, and a page that says what is spoken here. */
export function home({ ready, scrape, ...shown }: HomeOptions): Hono<HttpEnv> {
  const { version } = shown
  const agents = shown.agents.map(({ id }) => id)
  return new Hono<HttpEnv>()
    .get('/', described(show), (c) => answerPage(c, 'dragoman', page(new URL(c.req.url).origin, shown)))
    .get('/health', described(showHealth), (c) => c.json({ status: 'ok', version, capabilities: agents }))
    .get('/health/stream', described(showBeats), beats)
    .get('/ready', described(showReady), async (c) => {
      await ready()
      return c.json({ status: 'ready' })
    })
    .get('/metrics', described(showMetrics), async (c) => {
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
  summary: 'A page with the commands that work here',
  answers: { 200: { description: 'The page.', type: 'text/html' } },
}

const showHealth: Operation = {
  group,
  summary: 'Whether the server is there',
  answers: {
    200: {
      description: 'It is.',
      json: z.object({ status: z.literal('ok'), version: z.string(), capabilities: z.array(z.string()) }),
    },
  },
}

const showBeats: Operation = {
  group,
  summary: 'Five events, 200 ms apart',
  description: 'Whoever gets them all at once has a proxy before them that holds streams back.',
  answers: {
    200: {
      description: 'The events.',
      streams: [
        {
          type: 'text/event-stream',
          dialect: 'beats',
          example: 'data: {"beat":1,"of":5,"at":1795304195948}\n\n',
        },
      ],
    },
  },
}

const showReady: Operation = {
  group,
  summary: 'Whether the server can work',
  answers: {
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
  answers: { 200: { description: 'The metrics.', type: 'text/plain' } },
  errors: ['not-found'],
}

function page(origin: string, { version, agents, protocols }: Omit<HomeOptions, 'ready' | 'scrape'>): Markup {
  return html`<h1>dragoman</h1>
    <p class="quiet">
      ${version} · Write an agent’s run once; follow it from any client, in any chat protocol.
    </p>
    <p><a href="/docs">Every route</a>, also as <a href="/openapi.json">OpenAPI</a>.</p>
    ${agents.map(({ id, name, description, examples }) => [
      html`<h2>${name}</h2>
        <p>${description}</p>`,
      shownAs([...(examples?.(origin) ?? []), ...agentEntries(origin, id)]),
    ])}
    <h2>Every agent</h2>
    ${shownAs(serverEntries(origin, agents[0]?.id ?? 'AGENT', protocols))}`
}

function shownAs(entries: readonly Entry[]): Markup[] {
  return entries.map(
    ({ title, words, command }) =>
      html`<h3>${title}</h3>
        <p>${words}</p>
        <pre><code>${command}</code></pre>`,
  )
}
