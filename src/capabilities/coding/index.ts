import { Hono } from 'hono'

import type { Capability, Door, Machine } from '../../agent/index.ts'
import { codingAgent } from './agent.ts'
import { apiRoom } from './api/room.ts'
import { commandsRoom } from './commands/room.ts'
import { filesRoom } from './files/room.ts'
import type { Room } from './room.ts'
import { searchRoom } from './search/room.ts'
import { settling } from './settle.ts'
import { workspaces } from './workspace/workspaces.ts'

/** Works on the files of one folder at a time: an agent, its tools, and the routes that show its files. */
export function coding(machine: Machine): Capability {
  const open = workspaces(machine.roots, machine.home)
  const search = searchRoom(open)
  const rooms: readonly Room[] = [
    filesRoom(open),
    search,
    commandsRoom(open, machine),
    apiRoom(open, search.find, machine),
  ]
  return {
    agent: codingAgent,
    tools: rooms.flatMap(({ tools }) => tools),
    settleContext: settling(open),
    routes: new Hono<Door>(),
    routesAt: Object.assign({}, ...rooms.map(({ routesAt }) => routesAt)) as Record<string, Hono<Door>>,
    async condition() {
      const all = await Promise.all([
        open.condition(),
        ...rooms.flatMap(({ condition }) => condition?.() ?? []),
      ])
      return { available: all.every(({ available }) => available), notes: all.flatMap(({ notes }) => notes) }
    },
  }
}
