import type { DemoCall, DemoExample, DemoLanguage, DemoOutcome } from 'dragoman/agents'

/** One wish of the user's: a whole request, or one half of "search X and list Y". */
export type Wish = {
  readonly words: string
  readonly language: DemoLanguage
  /** What the client said of its surroundings, line by line. */
  readonly context: readonly string[]
  /** Fields without which the offered tool refuses its input. */
  readonly required: readonly string[]
}

/** How a wish is fulfilled: the tool's input, and one sentence on why. */
export type Intent = { readonly input: DemoCall['input']; readonly thought: string }

/** When and how one tool is called. All tools that have a rule only read. */
export interface ToolRule extends DemoExample {
  readonly call: string
  /** Undefined when the wish is not for this tool. */
  read(wish: Wish): Intent | undefined
  /** Puts a success into words, adding nothing that the tool did not return. */
  tell(outcome: DemoOutcome, language: DemoLanguage): string
}
