import { Hono } from 'hono'
import type { z } from 'zod'

import { describeRoute } from 'dragoman/agents'
import { ServiceError } from 'dragoman/errors'
import { isJsonObject, isLive } from 'dragoman/events'
import { parseBody } from 'dragoman/protocols'
import { messageIdOf, requestIdOf } from '../protocols/envelope/index.ts'
import { threadDefaults, type Thread } from 'dragoman/threads'
import { readJson, type HttpEnv } from 'dragoman/http'
import {
  withWorkspace,
  workspaceOfThread,
  sessionIdOf,
  toContext,
  rootOfContext,
  workspaceOfContext,
  type ChatStreamOptions,
} from './session-workspace.ts'
import * as operations from './session-openapi.ts'
import { renameErrorField } from '../rename-error-field.ts'

/** Sessions: to begin, show, list, change and delete them. */
export function sessionRoutes(options: ChatStreamOptions): Hono<HttpEnv> {
  const { agent, runs, threads, projector, resolveContext: settle, findModel } = options
  return new Hono<HttpEnv>()
    .post('/session', describeRoute(operations.createSession), async (c) => {
      const { model, metadata, workspaceRoot } = parseBody(operations.createBody, await readJson(c))
      const userId = c.get('userId')
      const knownModel = model ? findModel({ userId, agent, model }) : undefined
      const { thread } = await threads.open({
        userId,
        agent,
        metadata: {
          ...withWorkspace(
            {},
            rootOfContext(await settle(toContext({ workspaceRoot: workspaceRoot ?? undefined }), userId)),
          ),
          ...(knownModel !== undefined && { model: knownModel }),
          ...(metadata && { client: metadata }),
        },
      })
      return c.json(toSession(thread))
    })
    .post('/session/get', describeRoute(operations.getSession), async (c) => {
      const { sessionId } = parseBody(operations.sessionBody, await readJson(c))
      const { id } = await threads.get(c.get('userId'), sessionId, agent)
      const latest = await runs.current(id)
      await projector.refresh(id)
      const session = toSession(await threads.get(c.get('userId'), id))
      const live =
        latest && isLive(latest) ? { requestId: requestIdOf(latest), messageId: messageIdOf(latest) } : null
      return c.json({ ...session, live })
    })
    .post('/session/delete', describeRoute(operations.deleteSession), async (c) => {
      const { sessionId } = parseBody(operations.sessionBody, await readJson(c))
      const userId = c.get('userId')
      const thread = await threads.get(userId, sessionId, agent)
      await runs.forget(thread.id, userId)
      await threads.remove(thread)
      // A message that came in between has started a run that has no session now.
      await runs.forget(thread.id, userId)
      return c.json({ success: true, sessionId })
    })
    .post('/sessions/list', describeRoute(operations.listSessions), async (c) => {
      const page = parseBody(operations.listBody, await readJson(c))
      await projector.catchUp(c.get('userId'))
      const listed = await threads.list(c.get('userId'), { agent, ...page })
      const last = listed.length === page.limit ? listed.at(-1) : undefined
      return c.json({ sessions: listed.map(toSession), ...(last && { before: last.id }) })
    })
    .route('/', placeRoutes(options))
}

/** Further folders of a session, at most. */
const MAX_DIRECTORIES = 50

/** Where a session works: what it runs next, it runs there. */
function placeRoutes({ agent, threads, resolveContext: settle }: ChatStreamOptions): Hono<HttpEnv> {
  return new Hono<HttpEnv>()
    .post('/session/update-workspace', describeRoute(operations.updateWorkspace), async (c) => {
      const { sessionId, workspaceRoot } = parseBody(operations.workspaceBody, await readJson(c))
      const thread = await threads.get(c.get('userId'), sessionId, agent)
      const root = rootOfContext(await settle({ workspaceRoot }, c.get('userId')))
      const changed = await threads.amend(thread, (before) => withWorkspace(before, root))
      return c.json({ success: true, ...toSession(changed) })
    })
    .post('/session/add-directory', describeRoute(operations.addDirectory), async (c) => {
      const { sessionId, ...named } = parseBody(operations.directoryBody, await readJson(c))
      const thread = await threads.get(c.get('userId'), sessionId, agent)
      const { field, wanted } = directoriesOf(named)
      const place = { ...workspaceOfThread(thread), directories: wanted }
      const context = await settle(toContext(place), c.get('userId')).catch((error: unknown) =>
        Promise.reject(field === 'directory' ? renameErrorField(error, 'directories.0', field) : error),
      )
      const { directories: found = [] } = workspaceOfContext(context)
      const changed = await threads.amend(thread, (before) => {
        const { directories = [] } = workspaceOfThread({ metadata: before })
        const all = [...new Set([...directories, ...found])]
        if (all.length <= MAX_DIRECTORIES) return withWorkspace(before, { directories: all })
        throw new ServiceError(
          'invalid-request',
          `${field}: a session has at most ${MAX_DIRECTORIES} of them.`,
        )
      })
      return c.json({ success: true, added: found, errors: [], ...toSession(changed) })
    })
    .post('/session/list-directories', describeRoute(operations.listDirectories), async (c) => {
      const { sessionId } = parseBody(operations.sessionBody, await readJson(c))
      const thread = await threads.get(c.get('userId'), sessionId, agent)
      const { workspaceRoot, directories = [] } = workspaceOfThread(thread)
      return c.json({
        directories: [...(workspaceRoot === undefined ? [] : [workspaceRoot]), ...directories],
      })
    })
}

/** One directory, or several, and the field that has named them. */
function directoriesOf({ directory, directories = [] }: Directories): {
  readonly field: 'directory' | 'directories'
  readonly wanted: readonly string[]
} {
  return directory === undefined
    ? { field: 'directories', wanted: directories }
    : { field: 'directory', wanted: [directory] }
}

type Directories = Omit<z.infer<typeof operations.directoryBody>, 'sessionId'>

function toSession(thread: Thread): z.infer<typeof operations.sessionShape> {
  const { workspaceRoot, directories = [] } = workspaceOfThread(thread)
  const { model } = threadDefaults(thread)
  const { client } = thread.metadata
  return {
    id: sessionIdOf(thread),
    sessionId: sessionIdOf(thread),
    createdAt: thread.createdAt,
    updatedAt: thread.updatedAt,
    lastActivity: thread.updatedAt,
    title: thread.title ?? null,
    workspaceRoot: workspaceRoot ?? null,
    directories: [...directories],
    model: model ?? null,
    metadata: isJsonObject(client) ? client : {},
  }
}
