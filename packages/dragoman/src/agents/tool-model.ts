import type { z } from 'zod'

/** One question to a model, apart from the conversation. */
export type ModelQuestion = {
  /** The task for the model, in the agent's words. */
  readonly instructions: string
  /** The text to work on. Untrusted text belongs here, marked as such. */
  readonly text: string
  /** 4,000 by default. */
  readonly maxOutputTokens?: number
}

/**
 * The agent's model, for its tools and routes. If no model is configured, a question fails with `model-missing`,
 * and the error says what to set. Usage in a tool counts toward the tool's run.
 */
export interface ToolModel {
  /** The full name of the model that would answer, such as `anthropic:claude-…`; `offline` if none is configured. */
  readonly name: () => string
  /** @throws ServiceError */
  readonly text: (question: ModelQuestion, signal: AbortSignal) => Promise<string>
  /**
   * Returns an object that matches `schema`. An object that does not match is sent back to the model once.
   * @throws ServiceError; `model-failed` if the second answer does not match either
   */
  readonly object: <S extends z.ZodType>(
    question: ModelQuestion & { readonly schema: S },
    signal: AbortSignal,
  ) => Promise<z.infer<S>>
}
