import type { Hono } from 'hono'

import type { AppEnv, Tool } from 'dragoman/agents'
import type { AgentModule } from 'dragoman/modules'

/** The contribution of one folder to the agent. */
export type Feature = {
  readonly tools?: readonly Tool[]
  /** Mounted at `/life`. */
  readonly routes?: Hono<AppEnv>
  /** Routes of documented APIs at other paths, by that path. */
  readonly routesAt?: Readonly<Record<string, Hono<AppEnv>>>
  readonly toolsFor?: AgentModule['toolsFor']
  readonly condition?: AgentModule['condition']
  readonly background?: AgentModule['background']
}
