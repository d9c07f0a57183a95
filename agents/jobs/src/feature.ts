import type { Hono } from 'hono'

import type { AppEnv, Tool } from 'dragoman/agents'
import type { AgentModule } from 'dragoman/modules'

/** One feature of the jobs agent: its tools, routes and background work. */
export type Feature = {
  readonly tools?: readonly Tool[]
  /** With their whole paths below `/jobs`. */
  readonly routes: Hono<AppEnv>
  /** APIs at other paths. */
  readonly surfaces?: AgentModule['surfaces']
  readonly background?: AgentModule['background']
}
