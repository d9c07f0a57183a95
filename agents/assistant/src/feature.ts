import type { Tool } from 'dragoman/agents'
import type { AgentModule, Condition } from 'dragoman/modules'

/** What one part of the capability gives to the whole. */
export type Feature = {
  readonly tools?: readonly Tool[]
  readonly toolsFor?: AgentModule['toolsFor']
  readonly condition?: () => Promise<Condition>
  readonly background?: AgentModule['background']
}
