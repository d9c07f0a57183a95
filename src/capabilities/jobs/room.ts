import type { Hono } from 'hono'

import type { Capability, Door, ServerTool } from '../../agent/index.ts'

/** What one part of the capability gives to the whole. */
export type Room = {
  readonly tools?: readonly ServerTool[]
  /** By their whole paths below `/jobs`. */
  readonly routes: Hono<Door>
  readonly background?: Capability['background']
}
