import type { Hono } from 'hono'

import type { Condition, Door, ServerTool } from '../../agent/index.ts'

/** What one part of the capability gives to the whole. */
export type Room = {
  readonly tools: readonly ServerTool[]
  /** Routes of documented APIs, by the path at which they are mounted. */
  readonly routesAt?: Readonly<Record<string, Hono<Door>>>
  readonly condition?: () => Promise<Condition>
}
