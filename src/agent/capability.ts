import type { Hono } from 'hono'

import type { Agent } from './agent.ts'
import type { ServerTool } from './tool.ts'

/** What is known of a caller once the door has let it in. */
export type Door = { Variables: { userId: string } }

/** A plug-in: an agent, what it may do, and the REST routes of its domain. */
export interface Capability {
  readonly agent: Agent
  readonly tools: readonly ServerTool[]
  /** Mounted at `/<agent id>`. */
  readonly routes: Hono<Door>
}
