import type { Capability } from '../../agent/index.ts'
import { isJsonObject } from '../../events/index.ts'
import { readContext } from './context.ts'
import type { Workspaces } from './workspace/workspaces.ts'

/** Puts real paths in the place of those that the client gave. Where it named no folder and one root is served, that is meant. */
export function settling(workspaces: Workspaces): NonNullable<Capability['settleContext']> {
  return async (context) => {
    const { root, also } = await workspaces.open(readContext(context))
    const told = isJsonObject(context) ? context : {}
    return { ...told, workspaceRoot: root, ...(also.length > 0 && { directories: also }) }
  }
}
