import type { z } from 'zod'

/** One question to a model, apart from the conversation. */
export type ModelQuestion = {
  /** What it is to do, in our words. */
  readonly instructions: string
  /** What it is to do it with. A stranger's words belong here, marked as such. */
  readonly text: string
  /** Tokens that it may say at most; 4,000 unless told. */
  readonly maxOutputTokens?: number
}

/**
 * The agent's model, as its tools and routes may ask it. Where no model is configured it judges nothing: asking fails with
 * `model-missing`, in a sentence that says what to set. What it used in a tool counts to the tool's run.
 */
export interface ToolModel {
  /** The full name of the model that would answer, as `anthropic:claude-…`; `offline` where none is configured. */
  readonly name: () => string
  /** @throws ServiceError */
  readonly text: (question: ModelQuestion, signal: AbortSignal) => Promise<string>
  /** An object that fits `schema`: what does not fit is shown to the model once more. @throws ServiceError, `model-failed` where it never fits */
  readonly object: <S extends z.ZodType>(
    question: ModelQuestion & { readonly schema: S },
    signal: AbortSignal,
  ) => Promise<z.infer<S>>
}
