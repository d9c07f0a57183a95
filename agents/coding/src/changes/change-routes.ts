import { Hono, type Context } from 'hono'

import { describeRoute, type AgentServices } from 'dragoman/agents'
import { describeJsonError } from 'dragoman/events'
import type { HttpEnv } from 'dragoman/http'
import { readQuery, type SurfaceServices } from 'dragoman/surfaces'
import { limitBodySize, readJsonBody } from '@dragoman/agent-kit/json-body'
import { codingAgent } from '../agent.ts'
import { readFileText } from '../api/read-file-text.ts'
import { resolveWorkspacePath } from '../workspace/resolve-workspace-path.ts'
import type { Workspaces } from '../workspace/workspaces.ts'
import * as operations from './change-openapi.ts'
import { listTreeFolder } from './list-tree-folder.ts'
import type { ThreadChanges, ThreadWorkspace } from './thread-changes.ts'

/** Of a file that is shown, in characters. */
const MAX_TEXT_LENGTH = 200_000
const limitSize = limitBodySize(64 * 1024, 'The body may have at most 64 KB')

export type ChangeRouteOptions = {
  readonly workspaces: Workspaces
  readonly changes: ThreadChanges
  readonly threads: Pick<SurfaceServices['threads'], 'get'>
  readonly readThreadContext: AgentServices['readThreadContext']
}

/** What a thread has changed, and the files among which it works. */
export function changeRoutes({
  workspaces,
  changes,
  threads,
  readThreadContext,
}: ChangeRouteOptions): Hono<HttpEnv> {
  /** @throws ServiceError `not-found` for a thread of another user, `unavailable` if its files are elsewhere */
  const openThread = async (c: Context<HttpEnv>): Promise<ThreadWorkspace> => {
    const [userId, agent] = [c.get('userId'), codingAgent.id]
    const { id: threadId } = await threads.get(userId, c.req.param('id') ?? '', agent)
    const context = await readThreadContext({ userId, agent, name: threadId })
    return { userId, threadId, workspace: await workspaces.of(context) }
  }
  return new Hono<HttpEnv>()
    .get('/:id/changes', describeRoute(operations.listChanges), async (c) => {
      const thread = await openThread(c)
      return c.json({
        workspaceRoot: thread.workspace.root,
        changes: await changes.list(thread, c.req.raw.signal),
      })
    })
    .get('/:id/changes/file', describeRoute(operations.showChange), async (c) => {
      const { path } = readQuery(c, operations.fileQuery)
      return c.json(await changes.diff(await openThread(c), path, c.req.raw.signal))
    })
    .post('/:id/revert', describeRoute(operations.revertChanges), limitSize, async (c) => {
      const { path, force } = await readJsonBody(c, operations.revertBody, describeJsonError)
      const { signal } = c.req.raw
      return c.json({ reverted: await changes.revert(await openThread(c), { path, force, signal }) })
    })
    .get('/:id/tree', describeRoute(operations.listTree), async (c) => {
      const { path } = readQuery(c, operations.treeQuery)
      return c.json(await listTreeFolder((await openThread(c)).workspace, path))
    })
    .get('/:id/file', describeRoute(operations.showFile), async (c) => {
      const { path } = readQuery(c, operations.fileQuery)
      const { userId, workspace } = await openThread(c)
      const options = { userId, signal: c.req.raw.signal, maxLength: MAX_TEXT_LENGTH }
      return c.json(await readFileText(await resolveWorkspacePath(workspace, path), options))
    })
}
