import type { AgentProfile } from './agent-profile.ts'
import type { AgentEngine, EngineFactory } from './agent-engine.ts'
import type { Tool } from './tool.ts'

/**
 * An agent: its instructions, its model, its tools and its engine.
 *
 * @example
 * const agent: Agent = defineAgent({ id: 'dice', instructions: 'Roll dice with your tool.', tools: [roll] })
 */
export type Agent<Tools = readonly Tool[]> = AgentProfile<Tools> & {
  /** The engine: the name of an engine of the server, or an engine of the agent's own. */
  readonly engine: string | AgentEngine | EngineFactory
}
