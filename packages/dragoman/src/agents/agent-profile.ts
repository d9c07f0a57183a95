import type { Json, UserPart } from '../events/index.ts'
import type { StepInput, StepSettings, ToolChoice } from './step-settings.ts'
import type { Tool } from './tool.ts'
import type { AgentModel } from './agent-model.ts'
import type { McpServers } from './mcp-servers.ts'

/** An agent without its engine: its instructions, its model and its tools. */
export type AgentProfile<Tools = readonly Tool[]> = {
  readonly id: string
  readonly name: string
  readonly description: string
  /** Name and description for pages in other languages, by language: `{ zh: { name: '骰子' } }`. */
  readonly translations?: AgentTranslations
  /** The system prompt. */
  readonly instructions: string
  /** Returns the part of the system prompt that depends on the run. It follows `instructions`. */
  readonly runInstructions?: (input: InstructionsInput) => string | Promise<string>
  /** The model that answers. Without it, any configured provider does, and the demo model where none is configured. */
  readonly model?: AgentModel
  /** Narrows the models that users may run with this agent. See `models.allowed` of config.yaml. */
  readonly models?: ModelLimits
  readonly tools: Tools
  /** Servers whose tools are added to each run. They need the package `@modelcontextprotocol/client`. */
  readonly mcp?: McpServers
  /** Holds for each step of a run that may call tools: `required` ends only with `maxSteps`. `auto` by default. */
  readonly toolChoice?: ToolChoice
  /** Returns what differs for the next model call of a run. If it throws, the run fails. */
  readonly prepareStep?: (input: StepInput) => StepSettings | undefined | Promise<StepSettings | undefined>
  /** The maximum number of model calls in one run. */
  readonly maxSteps: number
  /**
   * How many letters of a conversation's first message become its title: 80 by default. A Chinese, Japanese or Korean
   * character counts as four.
   */
  readonly titleLength?: number
  /**
   * The prompt for one last answer without tools, used when the steps are used up and the model still calls
   * tools. Without it, the run ends at that point.
   */
  readonly finalPrompt?: string
  /**
   * Returns how many of the last messages the model gets, in addition to the first one. Without it, the model
   * gets all that fit.
   */
  readonly historyWindow?: (context: Json) => number
}

/**
 * The models that users may run: names, and beginnings of names with `*`. The server's own list counts too.
 *
 * @example
 * const models: ModelLimits = { allowed: ['anthropic/claude-haiku-5-5', 'openai/*'] }
 */
export type ModelLimits = { readonly allowed: readonly string[] }

/** An agent's name and description by language. What is missing is as in the agent itself. */
export type AgentTranslations = {
  readonly [language: string]: { readonly name?: string; readonly description?: string }
}

/**
 * What the instructions of a run may depend on: its user and thread, the user's message, the client's context,
 * the names of the run's tools and of those that the client runs, and the shared state.
 */
export type InstructionsInput = {
  readonly userId: string
  /** `conv_…` */
  readonly threadId: string
  readonly message: readonly UserPart[]
  readonly context: Json
  readonly tools: readonly string[]
  readonly clientTools: readonly string[]
  readonly state?: Json
}
