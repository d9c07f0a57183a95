import type { AssistantMessage, Json } from '../events/index.ts'
import type { AgentModel, ProviderOptions } from './agent-model.ts'

/**
 * Which tools the model calls: those that it chooses, none, at least one, or one by name.
 *
 * @example
 * const toolChoice: ToolChoice = { type: 'tool', toolName: 'search' }
 */
export type ToolChoice = 'auto' | 'none' | 'required' | { readonly type: 'tool'; readonly toolName: string }

/**
 * What `prepareStep` knows of the next model call of a run.
 *
 * @example
 * const isFirst = ({ stepNumber }: StepInput): boolean => stepNumber === 0
 */
export type StepInput = {
  /** The number of model calls before it, in the whole run. */
  readonly stepNumber: number
  readonly userId: string
  /** The client's context, as the agent resolved it. */
  readonly context: Json
  /** The answer so far. */
  readonly answer: AssistantMessage
  /** The names of the run's tools. */
  readonly tools: readonly string[]
}

/**
 * What differs for one model call.
 *
 * @example
 * const settings: StepSettings = { toolChoice: 'required', activeTools: ['search'] }
 */
export type StepSettings = {
  /** Another model, or other settings of it. A model that the user has requested stays. */
  readonly model?: AgentModel
  readonly toolChoice?: ToolChoice
  /** The names of the tools that the model gets. */
  readonly activeTools?: readonly string[]
  /** Replaces the system prompt. */
  readonly instructions?: string
  /** Added to those of the model. */
  readonly providerOptions?: ProviderOptions
}

/** Returns the problem with the value of `toolChoice`, as a clause that follows the field. */
export function toolChoiceFault(value: unknown): string | undefined {
  if (value === undefined || value === 'auto' || value === 'none' || value === 'required') return undefined
  const { type, toolName } = (value ?? {}) as { readonly type?: unknown; readonly toolName?: unknown }
  if (type === 'tool' && typeof toolName === 'string') return undefined
  return "must be auto, none, required or { type: 'tool', toolName }"
}
