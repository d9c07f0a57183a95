import type { AgentProfile } from './agent-profile.ts'
import type { AgentEngine, EngineFactory } from './agent-engine.ts'
import type { Tool } from './tool.ts'

/**
 * An agent: its instructions, its model, its tools, and what drives it.
 *
 * @example
 * const agent: Agent = defineAgent({ id: 'dice', instructions: 'Roll dice with your tool.', tools: [roll] })
 */
export type Agent<Tools = readonly Tool[]> = AgentProfile<Tools> & {
  /** What drives the agent: the name of an engine of the server, or an engine of the agent's own. */
  readonly engine: string | AgentEngine | EngineFactory
}
