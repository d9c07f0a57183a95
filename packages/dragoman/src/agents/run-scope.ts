import type { AssistantMessage, Json, UserPart } from '../events/index.ts'
import type { Tool } from './tool.ts'

/** The run for which tools are resolved. `secrets` is data of its caller for those tools alone: it is never stored. */
export type RunScope = {
  readonly userId: string
  /** The thread's id: `conv_…`. */
  readonly threadId: string
  readonly context: Json
  readonly secrets: Json
  /** The state that agent and client share, if there is one. */
  readonly state?: Json
  readonly signal: AbortSignal
}

/**
 * The tools of one run. Each notice is a sentence for the model, for example about a tool server that does not
 * answer.
 */
export type ResolvedTools<Tools = readonly Tool[]> = {
  readonly tools: Tools
  readonly notes: readonly string[]
  /**
   * Whether the tools are others by now. It is asked before each step and each call; the run then resolves its tools
   * again.
   */
  readonly isStale?: () => boolean
}

/**
 * Resolves the tools that depend on the run's user. Called whenever an attempt of a run begins, and when its tools are
 * stale.
 */
export type ToolResolver<Tools = readonly Tool[]> = (scope: RunScope) => Promise<ResolvedTools<Tools>>

/** An answer that the model considers complete. `answer` is the whole answer so far. */
export type OutputGuardrailInput = {
  readonly userId: string
  readonly threadId: string
  readonly context: Json
  readonly answer: AssistantMessage
  readonly signal: AbortSignal
}

/**
 * Checks an answer before its run ends. The text that it returns is sent back to the model, at most once in a run.
 * If it throws, the server reports the error and leaves the answer as it is.
 */
export type OutputGuardrail = (answer: OutputGuardrailInput) => Promise<string | undefined>

/** A user's message before the server does anything with it. */
export type InputGuardrailInput = {
  readonly userId: string
  readonly context: Json
  readonly message: readonly UserPart[]
}

/**
 * Checks a user's message before any quota, limit, model or provider does. If it returns an answer, the run says
 * only that: the run costs the user nothing, calls no model, and ends another run of the thread.
 */
export type InputGuardrail = (message: InputGuardrailInput) => Promise<{ readonly text: string } | undefined>

/** What an agent does with the context that a client reports. */
export type ContextRules = {
  /**
   * Turns the reported context into the run's context. The run, its tools and the model get the result, so that a
   * thing that the client only described can be stored and replaced by its id. @throws ServiceError to refuse
   */
  readonly resolve?: (context: Json, userId: string, message: readonly UserPart[]) => Promise<Json>
  /**
   * The lines that precede the user's words in the prompt. @throws ServiceError `invalid-request` to refuse the
   * context
   */
  readonly format?: (context: Json) => readonly string[]
  /** The fields of the context that are stored on the thread, for its list of conversations. */
  readonly metadata?: (context: Json) => { readonly [field: string]: Json }
  /**
   * Fields of the reported context that hold for the later messages of the thread as well, until one sets them again.
   * What the thread stores in its own context comes first.
   */
  readonly inherit?: readonly string[]
}
