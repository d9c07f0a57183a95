import { Hono } from 'hono'
import { html } from 'hono/html'

import type { HttpEnv } from '../transports/index.ts'
import { beats } from './beats.ts'

export type HomeOptions = {
  readonly version: string
  readonly agents: readonly string[]
  /** Rejects where the server cannot do its work. */
  readonly ready: () => Promise<void>
}

/** Whether we are well, and a page that says what is spoken here. */
export function home({ version, agents, ready }: HomeOptions): Hono<HttpEnv> {
  return new Hono<HttpEnv>()
    .get('/', (c) =>
      c.html(page(new URL(c.req.url).origin, version), 200, { 'content-security-policy': POLICY }),
    )
    .get('/health', (c) => c.json({ status: 'ok', version, capabilities: agents }))
    .get('/health/stream', beats)
    .get('/ready', async (c) => {
      await ready()
      return c.json({ status: 'ready' })
    })
}

const POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"

type Entry = { title: string; words: string; command: string }

function entries(origin: string): Entry[] {
  const post = (path: string, body: object): string =>
    `curl -N ${origin}${path} -H 'content-type: application/json' \\\n  -d '${JSON.stringify(body)}'`
  return [
    {
      title: 'Put a posting in',
      words: 'A page as your browser shows it, or just the facts. A posting that is known is not doubled.',
      command: post('/jobs', {
        title: 'Software Engineer',
        company: 'Northwind',
        url: 'https://northwind.example/jobs/1',
        location: 'San Francisco',
      }),
    },
    {
      title: 'Ask the jobs agent',
      words: 'The documented frames, as they come. ?ids=1 numbers them, so that a lost line can go on.',
      command: post('/jobs/chat', {
        messages: [{ role: 'user', content: '帮我搜索软件工程师职位' }],
        context: { activeFilters: { location: 'San Francisco' } },
      }),
    },
    {
      title: 'Ask as useChat does',
      words:
        'The AI SDK’s UI message stream, for every client from 5.0 on: point DefaultChatTransport at /jobs/chat. That of 4 posts contents and parts, and gets its data stream.',
      command: post('/jobs/chat', {
        id: 'my-chat',
        trigger: 'submit-message',
        messages: [
          { id: 'm1', role: 'user', parts: [{ type: 'text', text: 'Find software engineer jobs' }] },
        ],
      }),
    },
    {
      title: 'Read along, or come back',
      words:
        'Any run in any protocol (native, eve, ui-message-stream, data-stream), from the start or after a cursor.',
      command: `curl -N '${origin}/v1/runs/RUN_ID/events?protocol=native' -H 'last-event-id: 12'`,
    },
    {
      title: 'Stop it, from anywhere',
      words: 'By the run’s id or its message’s. What was said is kept.',
      command: `curl -X POST ${origin}/v1/runs/RUN_ID/stop`,
    },
    {
      title: 'Look back',
      words: 'Conversations, their messages, and what the agent is made of.',
      command: `curl ${origin}/jobs/chat/conversations\ncurl '${origin}/jobs/chat/history?conversationId=CONVERSATION_ID'\ncurl ${origin}/jobs/agent/status`,
    },
  ]
}

function page(origin: string, version: string) {
  return html`<!doctype html>
    <html lang="en">
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <title>dragoman</title>
      <style>
        :root {
          color-scheme: light dark;
          font:
            1rem/1.55 system-ui,
            sans-serif;
        }
        body {
          max-width: 46rem;
          margin: 0 auto;
          padding: 2.5rem 1.25rem 4rem;
        }
        h1 {
          margin: 0;
          font-size: 1.9rem;
          letter-spacing: -0.02em;
        }
        h2 {
          margin: 2.2rem 0 0.3rem;
          font-size: 1.05rem;
        }
        p {
          margin: 0.3rem 0 0.6rem;
        }
        .quiet {
          color: color-mix(in srgb, currentcolor 65%, transparent);
        }
        pre {
          margin: 0;
          padding: 0.9rem 1rem;
          white-space: pre-wrap;
          overflow-wrap: anywhere;
          border-radius: 0.5rem;
          font:
            0.84rem/1.5 ui-monospace,
            monospace;
          background: color-mix(in srgb, currentcolor 7%, transparent);
        }
      </style>
      <h1>dragoman</h1>
      <p class="quiet">
        ${version} · Write an agent’s run once; follow it from any client, in any chat protocol.
      </p>
      ${entries(origin).map(
        ({ title, words, command }) =>
          html`<h2>${title}</h2>
            <p>${words}</p>
            <pre><code>${command}</code></pre>`,
      )}
    </html>`
}
