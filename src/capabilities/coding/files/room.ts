import type { Room } from '../room.ts'
import type { Workspaces } from '../workspace/workspaces.ts'

/** files */
export function filesRoom(_workspaces: Workspaces): Room {
  return { tools: [] }
}
