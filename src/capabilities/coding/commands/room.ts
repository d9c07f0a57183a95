import type { Machine } from '../../../agent/index.ts'
import type { Room } from '../room.ts'
import type { Workspaces } from '../workspace/workspaces.ts'

/** commands */
export function commandsRoom(_workspaces: Workspaces, _machine: Machine): Room {
  return { tools: [] }
}
