import { Hono } from 'hono'

import { describeRoute, type AgentServices, type AppEnv } from 'dragoman/agents'
import { describeJsonError, isJsonObject } from 'dragoman/events'
import { codingAgent } from '../agent.ts'
import { limitBodySize, readJsonBody } from '@dragoman/agent-kit/json-body'
import { changeFile, createFile, type WriteOptions } from '../files/change-file.ts'
import { inUserTurn } from '../files/text-work.ts'
import type { WorkspaceSearch } from '../search/workspace-search.ts'
import { listFolder } from '../workspace/list-folder.ts'
import { exists, resolveWorkspacePath, type WorkspacePath } from '../workspace/resolve-workspace-path.ts'
import { readTextBytes } from '../workspace/read-text.ts'
import type { Workspace, Workspaces } from '../workspace/workspaces.ts'
import * as operations from './file-openapi.ts'
import { readFileText } from './read-file-text.ts'

/** A file of 10 MB fits, though half of its characters be escaped. A longer body is parsed for too long. */
const MAX_WRITE_BODY_BYTES = 16 * 1024 * 1024
const MAX_BODY_BYTES = 1024 * 1024
/** Of a file, in characters. */
const MAX_TEXT_LENGTH = 1_000_000
const MAX_ENTRIES = 1000

const limitSize = limitBodySize(MAX_BODY_BYTES, 'The body may have at most 1 MB')

type FileRouteOptions = {
  readonly workspaces: Workspaces
  readonly search: WorkspaceSearch
  readonly readThreadContext: AgentServices['readThreadContext']
}
type Location = {
  readonly sessionId?: string | null | undefined
  readonly workspaceRoot?: string | null | undefined
}

/** The files of a workspace for programs. The tools of the agent read and write the same files. */
export function fileRoutes({ workspaces, search, readThreadContext }: FileRouteOptions): Hono<AppEnv> {
  const openWorkspace = async (location: Location, userId: string): Promise<Workspace> => {
    const { sessionId: name, workspaceRoot } = location
    const context =
      typeof name === 'string' ? await readThreadContext({ userId, agent: codingAgent.id, name }) : {}
    return workspaces.of({
      ...(isJsonObject(context) && context),
      ...(typeof workspaceRoot === 'string' && { workspaceRoot }),
    })
  }
  return new Hono<AppEnv>()
    .post(
      '/write',
      describeRoute(operations.writeFile),
      limitBodySize(MAX_WRITE_BODY_BYTES, 'The body may have at most 16 MB'),
      async (c) => {
        const { path, content, ...location } = await readJsonBody(c, operations.writeBody, describeJsonError)
        const userId = c.get('userId')
        const place = await resolveWorkspacePath(await openWorkspace(location, userId), path)
        const { signal } = c.req.raw
        const { disks } = workspaces
        const act = () =>
          workspaces.writeQueue(place.path, signal, () => write(place, content, { userId, disks }))
        return c.json(await inUserTurn(userId, signal, act))
      },
    )
    .post('/read', describeRoute(operations.readFile), limitSize, async (c) => {
      const { path, offset, limit, ...location } = await readJsonBody(
        c,
        operations.readBody,
        describeJsonError,
      )
      const place = await resolveWorkspacePath(await openWorkspace(location, c.get('userId')), path)
      const lines = { offset: offset ?? 0, limit: limit ?? Infinity }
      const caller = { userId: c.get('userId'), signal: c.req.raw.signal }
      return c.json(await readFileText(place, { ...caller, ...lines, maxLength: MAX_TEXT_LENGTH }))
    })
    .post('/search', describeRoute(operations.searchFiles), limitSize, async (c) => {
      const { pattern, name, ...location } = await readJsonBody(c, operations.searchBody, describeJsonError)
      const [workspace, path] = [await openWorkspace(location, c.get('userId')), location.path ?? undefined]
      const caller = { userId: c.get('userId'), signal: c.req.raw.signal }
      const most = location.maxResults ?? Infinity
      if (typeof name === 'string') {
        const { items, end } = await search.files(workspace, { pattern: name, path }, caller)
        return c.json({ files: items.slice(0, most), truncated: end !== 'all' || items.length > most })
      }
      const lines = { pattern: pattern ?? '', path, include: location.include ?? undefined }
      const { items, end } = await search.lines(workspace, lines, caller)
      const matches = items.map((hit) => ({ path: hit.path, line: hit.line, text: hit.text })).slice(0, most)
      return c.json({ matches, truncated: end !== 'all' || items.length > most })
    })
    .post('/list', describeRoute(operations.listFolder), limitSize, async (c) => {
      const { path, ...location } = await readJsonBody(c, operations.listBody, describeJsonError)
      const place = await resolveWorkspacePath(await openWorkspace(location, c.get('userId')), path || '.')
      return c.json({ path: place.displayPath, ...(await listFolder(place, MAX_ENTRIES)) })
    })
}

type WriteResult = { readonly path: string; readonly bytes: number; readonly created: boolean }

/** Who writes by a route has seen what there is: it is replaced as it stands now. */
async function write(place: WorkspacePath, content: string, options: WriteOptions): Promise<WriteResult> {
  const created = !(await exists(place.path))
  const { result } = created
    ? await createFile(place, content, options)
    : await changeFile(place, await readTextBytes(place), { content, keepsEnding: false }, options)
  return { path: place.displayPath, bytes: (result.output as { readonly bytes: number }).bytes, created }
}
