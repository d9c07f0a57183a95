import { Hono, type Context } from 'hono'
import { z } from 'zod'

import { describeRoute, type Operation } from '../../../agents/index.ts'
import { messageSchema, toPublicMessage } from '../../../protocols/index.ts'
import type { MessagePages, PageMessage, Thread } from '../../../threads/index.ts'
import { deliverPages, type AnswerPage, type HttpEnv } from '../../http/index.ts'
import { contentDisposition } from './content-disposition.ts'
import type { V1Options } from './options.ts'
import { errors, group, params, threadShape } from './thread-openapi.ts'
import { toThread } from './threads.ts'
import { readQuery } from '../paging.ts'
import { threadHeading, messageToMarkdown } from './thread-markdown.ts'

const exportQuery = z.object({
  format: z.enum(['json', 'markdown'], 'must be json or markdown').default('json'),
})

const exportShape = z.object({
  exportedAt: z.iso.datetime(),
  thread: threadShape,
  messages: z.array(
    messageSchema.extend({
      parentId: z.string().nullable().describe('The message before it: those of one parent are branches.'),
      runId: z.string().nullable().describe('The run that wrote it.'),
      createdAt: z.iso.datetime(),
      at: z.iso.datetime({ offset: true }).describe('When its last word was said.'),
    }),
  ),
})

const exportThread: Operation = {
  group,
  summary: 'Export a thread',
  description: 'JSON has all of it, every branch; Markdown is for readers, and has the chosen path.',
  params,
  query: exportQuery,
  responses: {
    200: {
      description: 'A file: application/json, or text/markdown.',
      headers: { 'content-disposition': 'The file’s name, made of the title.' },
      json: exportShape,
      contentType: 'text/markdown',
    },
  },
  errors,
}

/** Sends a thread as a file. It is written page by page as it is read. */
export function exportThreadRoutes({ threads, messagePages, projector }: V1Options): Hono<HttpEnv> {
  return new Hono<HttpEnv>().get('/:id/export', describeRoute(exportThread), async (c) => {
    const { format } = readQuery(c, exportQuery)
    const { id } = await threads.get(c.get('userId'), c.req.param('id'))
    await projector.refresh(id)
    const thread = await threads.get(c.get('userId'), id)
    if (format === 'markdown') {
      return sendFile(c, writeMarkdown(thread, messagePages), ['text/markdown; charset=utf-8', thread, 'md'])
    }
    return sendFile(c, writeJson(thread, messagePages), ['application/json', thread, 'json'])
  })
}

function sendFile(
  c: Context<HttpEnv>,
  pages: AsyncGenerator<AnswerPage>,
  [type, { title, id }, ending]: readonly [type: string, thread: Thread, ending: string],
): Promise<Response> {
  const headers = {
    'content-type': type,
    'content-disposition': contentDisposition(title ?? '', { id, ending }),
  }
  return deliverPages(c, pages, headers)
}

/** A JSON object with the thread and all its messages. */
async function* writeJson(thread: Thread, messagePages: MessagePages): AsyncGenerator<AnswerPage> {
  const head = { exportedAt: new Date().toISOString(), thread: toThread(thread) }
  let start = `${JSON.stringify(head).slice(0, -1)},"messages":[`
  let comma = ''
  for await (const { bytes, read } of messagePages.all(thread.id)) {
    const make = async (): Promise<string> => {
      const messages = (await read()).map((stored) => {
        const text = `${comma}\n${JSON.stringify(toExportedMessage(stored))}`
        comma = ','
        return text
      })
      const text = start + messages.join('')
      start = ''
      return text
    }
    yield { bytes, make }
  }
  yield { bytes: 0, make: async () => `${start}]}\n` }
}

/** A message with all its data except the provider's own. */
function toExportedMessage({ message, row }: PageMessage): object {
  const place = { parentId: row.parent_id, runId: row.run_id, createdAt: row.created_at, at: row.timestamp }
  return { ...(message.role === 'user' ? message : toPublicMessage(message)), ...place }
}

async function* writeMarkdown(thread: Thread, messagePages: MessagePages): AsyncGenerator<AnswerPage> {
  yield { bytes: 0, make: async () => threadHeading(thread) }
  if (thread.chosen === undefined) return
  for await (const { bytes, read } of messagePages.path(thread.id, thread.chosen)) {
    const make = async (): Promise<string> => {
      const stored = await read()
      return stored.map(({ message, row }) => messageToMarkdown(message, row.timestamp)).join('')
    }
    yield { bytes, make }
  }
}
