import type { Capability, Condition, ServerTool } from '../../agent/index.ts'

/** What one part of the capability gives to the whole. */
export type Room = {
  readonly tools?: readonly ServerTool[]
  readonly toolsFor?: Capability['toolsFor']
  readonly condition?: () => Promise<Condition>
  readonly background?: Capability['background']
}
