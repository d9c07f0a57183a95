import type { Hono } from 'hono'

import type { AppEnv, Tool } from 'dragoman/agents'
import type { AgentModule } from 'dragoman/modules'

/** What one part of the capability gives to the whole. */
export type Feature = {
  readonly tools?: readonly Tool[]
  /** By their whole paths below `/life`. */
  readonly routes?: Hono<AppEnv>
  /** Those that a documented API has elsewhere, by the path at which they are mounted. */
  readonly routesAt?: Readonly<Record<string, Hono<AppEnv>>>
  readonly toolsFor?: AgentModule['toolsFor']
  readonly condition?: AgentModule['condition']
  readonly background?: AgentModule['background']
}
