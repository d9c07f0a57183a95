import { Hono } from 'hono'
import type { z } from 'zod'

import { describeRoute } from 'dragoman/agents'
import { textOf, type AssistantMessage } from 'dragoman/events'
import { readJson, type HttpEnv } from 'dragoman/http'
import { parseBody } from 'dragoman/protocols'
import { itemPages, readQuery, streamList, type SurfaceServices } from 'dragoman/surfaces'
import { threadDefaults, type PageMessage, type Thread } from 'dragoman/threads'
import { readContext } from '../context.ts'
import { voices } from '../voice.ts'
import * as operations from './conversation-openapi.ts'

type ConversationOptions = Pick<
  SurfaceServices,
  'threads' | 'runs' | 'projector' | 'search' | 'messagePages'
> & {
  readonly agent: string
  /** The text of an answer, as its pages read it. */
  readonly toText?: (message: AssistantMessage) => string
}

/** The conversations of the life agent as VibeLife's pages list, show, rename and delete them. */
export function conversationRoutes(options: ConversationOptions): Hono<HttpEnv> {
  const { agent, threads, projector, search } = options
  return new Hono<HttpEnv>()
    .get('/', describeRoute(operations.list), async (c) => {
      const { skill, ...page } = readQuery(c, operations.listQuery)
      await projector.catchUp(c.get('userId'))
      const all = await threads.list(c.get('userId'), { agent, limit: operations.MAX_LISTED })
      return c.json(toList(skill ? all.filter((thread) => skillsOf(thread).includes(skill)) : all, page))
    })
    .get('/search', describeRoute(operations.search), async (c) => {
      const { q: query, ...page } = readQuery(c, operations.searchQuery)
      await projector.catchUp(c.get('userId'))
      const found = await search.find(c.get('userId'), { query, limit: 100 })
      const all = [...found.threads, ...found.messages.map(({ thread }) => thread)]
      const byId = new Map(
        all.filter((thread) => thread.agent === agent).map((thread) => [thread.id, thread]),
      )
      return c.json(toList([...byId.values()], page))
    })
    .post('/', describeRoute(operations.create), async (c) => {
      const { skill, voice_mode: voice, title } = parseBody(operations.newConversation, await readJson(c))
      const voiceMode = voices.find((each) => each === voice)
      const context = { ...(skill && { skills: [skill] }), ...(voiceMode && { voiceMode }) }
      const { thread } = await threads.open({ userId: c.get('userId'), agent, metadata: { context } })
      return c.json(toItem(title ? await threads.change(thread, { title }) : thread))
    })
    .get('/:id', describeRoute(operations.show), async (c) => showConversation(c, options))
    .patch('/:id', describeRoute(operations.rename), async (c) => {
      const thread = await threads.get(c.get('userId'), c.req.param('id'), agent)
      const { title, is_active: isActive } = parseBody(operations.change, await readJson(c))
      await projector.upTo(thread.id)
      const changes = {
        ...(title && { title }),
        ...(typeof isActive === 'boolean' && { archived: !isActive }),
      }
      return c.json(toItem(await threads.change(thread, changes)))
    })
    .delete('/:id', describeRoute(operations.remove), async (c) => {
      await deleteConversation(c.req.param('id'), c.get('userId'), options)
      return c.json({ status: 'ok' as const, message: '会话已删除' })
    })
}

async function showConversation(
  c: Parameters<typeof streamList>[0],
  { agent, threads, runs, projector, messagePages, toText = textOf }: ConversationOptions,
): Promise<Response> {
  const { messages_limit: limit } = readQuery(c, operations.detailQuery)
  const { id } = await threads.get(c.get('userId'), c.req.param('id') ?? '', agent)
  await runs.current(id)
  await projector.refresh(id)
  const thread = await threads.get(c.get('userId'), id)
  const { voiceMode = 'warm' } = readContext(threadDefaults(thread).context)
  const toMessage = ({ row, message }: PageMessage): object => ({
    id: message.role === 'user' ? (message.clientId ?? row.id) : row.id,
    role: message.role,
    content: message.role === 'user' ? textOf(message) : toText(message),
    created_at: row.created_at,
  })
  const { pages } = await messagePages.end(id, { limit })
  return streamList(c, {
    before: { ...toItem(thread), voice_mode: voiceMode, created_at: thread.createdAt },
    name: 'messages',
    pages: () => itemPages(pages(), (messages) => messages.map(toMessage)),
  })
}

async function deleteConversation(
  name: string,
  userId: string,
  { agent, threads, runs }: ConversationOptions,
): Promise<void> {
  const thread = await threads.get(userId, name, agent)
  await runs.forget(thread.id, userId)
  await threads.remove(thread)
  // A message that arrived in between has started a run that no client can find.
  await runs.forget(thread.id, userId)
}

type Page = { readonly limit: number; readonly offset: number }

function toList(threads: readonly Thread[], { limit, offset }: Page): z.infer<typeof operations.listShape> {
  const conversations = threads.slice(offset, offset + limit).map(toItem)
  return { conversations, total: threads.length, has_more: threads.length > offset + limit }
}

function toItem(thread: Thread): z.infer<typeof operations.itemShape> {
  return {
    id: thread.clientId ?? thread.id,
    title: thread.title ?? null,
    skill: skillsOf(thread)[0] ?? 'core',
    updated_at: thread.updatedAt,
  }
}

function skillsOf(thread: Thread): readonly string[] {
  return readContext(threadDefaults(thread).context).skills ?? []
}
