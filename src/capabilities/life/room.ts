import type { Hono } from 'hono'

import type { Capability, Door, ServerTool } from '../../agent/index.ts'

/** What one part of the capability gives to the whole. */
export type Room = {
  readonly tools?: readonly ServerTool[]
  /** By their whole paths below `/life`. */
  readonly routes?: Hono<Door>
  /** Those that a documented API has elsewhere, by the path at which they are mounted. */
  readonly routesAt?: Readonly<Record<string, Hono<Door>>>
  readonly toolsFor?: Capability['toolsFor']
  readonly condition?: Capability['condition']
  readonly background?: Capability['background']
}
