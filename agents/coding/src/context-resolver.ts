import type { ContextRules } from 'dragoman/agents'
import { isJsonObject } from 'dragoman/events'
import { readContext } from './context.ts'
import { readReferences } from './references/read-references.ts'
import type { Workspaces } from './workspace/workspaces.ts'

/**
 * Replaces the folders of the client by real paths. A missing folder means the only served root. The referenced files
 * are read here: files in the context of the client are dropped.
 */
export function contextResolver(workspaces: Workspaces): NonNullable<ContextRules['resolve']> {
  return async (context, userId, message) => {
    const { files: _, ...clientContext } = isJsonObject(context) ? context : {}
    const workspace = await workspaces.open(readContext(clientContext))
    const { root, directories } = workspace
    const files = await readReferences(userId, workspace, message)
    return {
      ...clientContext,
      workspaceRoot: root,
      ...(directories.length > 0 && { directories }),
      ...(files.length > 0 && { files }),
    }
  }
}
