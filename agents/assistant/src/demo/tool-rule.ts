import type { DemoCall, DemoExample, DemoLanguage, DemoOutcome } from 'dragoman/agents'

/** One wish of the user's: a whole request, or a part of it. */
export type Wish = { readonly words: string; readonly language: DemoLanguage }

/** How a wish is fulfilled: the tool's input, and one sentence on why. */
export type Intent = { readonly input: DemoCall['input']; readonly thought: string }

/** When and how one of the assistant's own tools is called. */
export interface ToolRule extends DemoExample {
  readonly call: string
  /** Undefined when the wish is not for this tool. */
  read(wish: Wish): Intent | undefined
  /** Puts a success into words, adding nothing that the tool did not return. */
  tell(outcome: DemoOutcome, language: DemoLanguage): string
}
