import type { Json, UserPart } from '../events/index.ts'
import type { Tool } from './tool.ts'
import type { AgentModel } from './agent-model.ts'

/** An agent without what drives it: its instructions, its model and its tools. */
export type AgentProfile<Tools = readonly Tool[]> = {
  readonly id: string
  readonly name: string
  readonly description: string
  /** The system prompt. */
  readonly instructions: string
  /** What of the system prompt is only known once a run is asked for: it stands behind `instructions`. */
  readonly runInstructions?: (input: InstructionsInput) => string | Promise<string>
  /** The model that answers. Without it, any configured provider does, and the demo model where none is configured. */
  readonly model?: AgentModel
  readonly tools: Tools
  /** Calls of the model in one run, at most. */
  readonly maxSteps: number
  /** How many characters of its first message name a conversation, where that is not as usual. */
  readonly titleLength?: number
  /** What it is told once its steps are used up and it still calls tools: it is asked once more, and may call none. Without it the run ends there. */
  readonly finalPrompt?: string
  /** How many of a conversation's last messages it is given, and the first one, which says what it is about; without it, all that fits. */
  readonly historyWindow?: (context: Json) => number
}

/** What a briefing may rest on: whose the run is and in which conversation, what the user said, the client's surroundings, the names of the run's tools and which of them the client runs, and what client and agent share. */
export type InstructionsInput = {
  readonly userId: string
  /** Our id of it: `conv_…`. */
  readonly threadId: string
  readonly message: readonly UserPart[]
  readonly context: Json
  readonly tools: readonly string[]
  readonly clientTools: readonly string[]
  readonly state?: Json
}
