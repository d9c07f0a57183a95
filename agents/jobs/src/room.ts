import type { Hono } from 'hono'

import type { AppEnv, Tool } from 'dragoman/agents'
import type { AgentModule } from 'dragoman/modules'

/** What one part of the capability gives to the whole. */
export type Room = {
  readonly tools?: readonly Tool[]
  /** By their whole paths below `/jobs`. */
  readonly routes: Hono<AppEnv>
  readonly background?: AgentModule['background']
}
