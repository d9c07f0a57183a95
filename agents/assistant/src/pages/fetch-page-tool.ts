import { z } from 'zod'

import {
  defineTool,
  toolResult,
  quoteUntrustedBlock,
  type AgentServices,
  type Tool,
  type ToolResult,
} from 'dragoman/agents'
import { createIsolatedWorker } from 'dragoman/isolate'
import { ServiceError } from 'dragoman/errors'
import type { PageText } from './page-worker.ts'

/** Characters of one piece of a page, and of a plain text. */
const [MAX_PIECE_LENGTH, MAX_TEXT_LENGTH] = [20_000, 200_000]

const read = createIsolatedWorker<{ html: string }, PageText>({
  module: new URL('./page-worker', import.meta.url),
  sizeOf: ({ html }) => html.length,
  limits: { waiting: 16, weight: 32_000_000, megabytes: 512 },
  timeoutMs: 15_000,
  refusals: {
    busy: 'Too many pages are waiting to be read.',
    slow: () => new ServiceError('invalid-input', 'The page cannot be read: it takes too long.'),
    large: () => new ServiceError('invalid-input', 'The page cannot be read: it takes too much memory.'),
  },
})

/** Lets the agent read what stands at a public address. */
export function fetchPageTool(safeFetch: AgentServices['safeFetch']): Tool {
  return defineTool({
    name: 'fetch_page',
    description:
      'Reads a public web page, or a text or JSON file, at an address; pages are given as Markdown. A ' +
      'long one is given in pieces: `from` is where to go on. No script of a page runs, and nothing is ' +
      'sent but the address.',
    inputSchema: z.object({
      url: z.url({ protocol: /^https?$/ }).max(2000),
      from: z.int().min(0).optional().describe('How many characters to pass over.'),
    }),
    idempotent: true,
    execute: async ({ url, from = 0 }, { signal, userId }) => {
      const accept = 'text/html, text/markdown, text/plain, application/json;q=0.9, application/xml;q=0.8'
      const found = await safeFetch.get(new URL(url), { userId, signal, accept })
      if (found.status >= 400)
        throw new ServiceError('unavailable', `${found.url.host} answered ${found.status}.`)
      return pieceOf(found.url.href, await textOf(userId, found), from)
    },
  })
}

function pieceOf(url: string, { title, text }: PageText, from: number): ToolResult {
  if (from > 0 && from >= text.length)
    throw new ServiceError('invalid-input', `The page has ${text.length} characters.`)
  const until = Math.min(text.length, from + MAX_PIECE_LENGTH)
  const piece = text.slice(from, until).toWellFormed()
  const further = until < text.length ? `; go on with from: ${until}` : ''
  const place = `Characters ${from} to ${until} of ${text.length}${further}.`
  const isWhole = from === 0 && until === text.length
  const page = [title && `# ${title}`, piece].filter(Boolean).join('\n\n')
  return toolResult({
    output: { url, title, from, until, length: text.length, text: piece },
    text: [
      `Address: ${url}`,
      ...(isWhole ? [] : [place]),
      quoteUntrustedBlock('page', page, Number.POSITIVE_INFINITY),
    ].join('\n'),
  })
}

type Found = Awaited<ReturnType<AgentServices['safeFetch']['get']>>

async function textOf(userId: string, { type, text, url }: Found): Promise<PageText> {
  const isPage = /html/.test(type) || (type === '' && /^\s*<(?:!doctype|html)/i.test(text))
  if (isPage) {
    const page = await read(userId, { html: text })
    if (page.text !== '') return page
    throw new ServiceError(
      'invalid-input',
      `There is no text on this page of ${url.host}: it may be drawn by scripts.`,
    )
  }
  const isText = type === '' || /^text\/|[/+](?:json|xml|yaml|x-ndjson)$/.test(type)
  if (!isText)
    throw new ServiceError(
      'invalid-input',
      `At this address is ${type}: only pages, texts and JSON are read.`,
    )
  return { title: '', text: text.slice(0, MAX_TEXT_LENGTH).toWellFormed() }
}
