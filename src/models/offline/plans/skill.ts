import type { Json } from '../../../events/index.ts'
import type { Outcome } from '../conversation.ts'
import type { Language, Phrase } from '../language.ts'

/** One wish of the user's: a whole request, or one half of "search X and list Y". */
export type Wish = {
  readonly words: string
  readonly language: Language
  /** What the client said of its surroundings, line by line. */
  readonly context: readonly string[]
  /** Fields without which the offered tool refuses its input. */
  readonly required: readonly string[]
}

/** How a wish is fulfilled: the tool's input, and one sentence on why. */
export type Intent = { readonly input: Readonly<Record<string, Json>>; readonly thought: string }

/** What a tool is good for, and how to ask for it. */
export type Offer = { readonly tool: string; readonly offer: Phrase }

/** What the offline model knows of one tool. The tool must only read: after a crash it may be called once more. */
export interface Skill extends Offer {
  /** Undefined when the wish is not for this tool. */
  read(wish: Wish): Intent | undefined
  /** Puts a success into words, adding nothing that the tool did not return. */
  tell(outcome: Outcome, language: Language): string
}
