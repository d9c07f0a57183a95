import type { Hono } from 'hono'

import type { AppEnv, Tool } from 'dragoman/agents'
import type { Condition } from 'dragoman/modules'

/** What one part of the capability gives to the whole. */
export type Feature = {
  readonly tools: readonly Tool[]
  /** Routes of documented APIs, by the path at which they are mounted. */
  readonly routesAt?: Readonly<Record<string, Hono<AppEnv>>>
  readonly condition?: () => Promise<Condition>
}
