import type { Capability } from '../../agent/index.ts'
import { isJsonObject } from '../../events/index.ts'
import { readContext } from './context.ts'
import { referencesIn } from './references/resolve.ts'
import type { Workspaces } from './workspace/workspaces.ts'

/**
 * Puts real paths in the place of those that the client gave. Where it named no folder and one root is served, that is meant. The files
 * that the message refers to are read now, and by us alone: what the client says of files is left out.
 */
export function settling(workspaces: Workspaces): NonNullable<Capability['settleContext']> {
  return async (context, _userId, said) => {
    const { files: _, ...told } = isJsonObject(context) ? context : {}
    const workspace = await workspaces.open(readContext(told))
    const { root, also } = workspace
    const files = await referencesIn(workspace, said)
    return {
      ...told,
      workspaceRoot: root,
      ...(also.length > 0 && { directories: also }),
      ...(files.length > 0 && { files }),
    }
  }
}
