import { Hono } from 'hono'

import type { Capability, Door, Machine } from '../../agent/index.ts'
import { assistantAgent } from './agent.ts'
import { mcpRoom } from './mcp/room.ts'
import { fetchPage } from './pages/fetch-page.ts'
import type { Room } from './room.ts'
import { askAgent } from './tools/ask-agent.ts'
import { calculate } from './tools/calculate.ts'
import { currentTime } from './tools/current-time.ts'
import { searchConversations } from './tools/search-conversations.ts'
import { stateRoom } from './tools/update-state.ts'

/** Helps with whatever the page that it stands in has tools for, and with some of its own. */
export function assistant(machine: Machine): Capability {
  const rooms: readonly Room[] = [
    {
      tools: [
        fetchPage(machine.outward),
        calculate,
        currentTime(() => new Date()),
        searchConversations(machine.search),
        askAgent(machine),
      ],
    },
    stateRoom(),
    mcpRoom(machine),
  ]
  return {
    agent: assistantAgent,
    tools: rooms.flatMap(({ tools = [] }) => tools),
    toolsFor: async (asked) => {
      const found = await Promise.all(rooms.map(async ({ toolsFor }) => toolsFor?.(asked)))
      return {
        tools: found.flatMap((each) => each?.tools ?? []),
        notes: found.flatMap((each) => each?.notes ?? []),
      }
    },
    routes: new Hono<Door>(),
    async condition() {
      const all = await Promise.all(rooms.flatMap(({ condition }) => condition?.() ?? []))
      return { available: true, notes: all.flatMap(({ notes }) => notes) }
    },
    background: async (signal, report) => {
      await Promise.all(rooms.map(async ({ background }) => background?.(signal, report)))
    },
  }
}
