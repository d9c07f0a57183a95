import type { AgentServices } from 'dragoman/agents'
import { isJsonObject } from 'dragoman/events'
import { codingAgent } from '../agent.ts'
import type { Workspace, Workspaces } from '../workspace/workspaces.ts'

/** What a request for files says of where they are. */
type FileRequest = {
  readonly sessionId?: string | null | undefined
  readonly workspaceRoot?: string | null | undefined
}

/** @throws ServiceError `not-found` for a session that is not there any more, and as `Workspaces.open` */
export type WorkspaceOpener = (asked: FileRequest, userId: string) => Promise<Workspace>

/** Opens the folders in which the agent works in a session; where a request names another to work in, that goes first. */
export function workspaceOpener(
  workspaces: Workspaces,
  { readThreadContext: contextOf }: Pick<AgentServices, 'readThreadContext'>,
): WorkspaceOpener {
  return async ({ sessionId, workspaceRoot }, userId) => {
    const sessionContext =
      typeof sessionId === 'string' ? await contextOf({ userId, agent: codingAgent.id, name: sessionId }) : {}
    return workspaces.of({
      ...(isJsonObject(sessionContext) && sessionContext),
      ...(typeof workspaceRoot === 'string' && { workspaceRoot }),
    })
  }
}
