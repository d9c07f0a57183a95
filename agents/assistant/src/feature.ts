import type { Tool } from 'dragoman/agents'
import type { AgentModule, Condition } from 'dragoman/modules'

/** What one feature adds to the agent. */
export type Feature = {
  readonly tools?: readonly Tool[]
  readonly toolsFor?: AgentModule['toolsFor']
  readonly condition?: () => Promise<Condition>
  readonly background?: AgentModule['background']
}
