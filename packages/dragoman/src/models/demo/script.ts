import type { Json } from '../../events/index.ts'

/** A language that the demo model answers in. */
export type DemoLanguage = 'en' | 'zh'

/** A text for both languages, or the text of each language. */
export type DemoText = string | Readonly<Record<DemoLanguage, string>>

/** A tool of the run, as the model is offered it. */
export type DemoTool = {
  readonly name: string
  /** JSON Schema. */
  readonly inputSchema: Json
}

/** What a step can read of a request. */
export type DemoRequest = {
  /** The user's last message. */
  readonly message: string
  /** The language of the message, or the one that a line like "Answer in Chinese" of the system prompt names. */
  readonly language: DemoLanguage
  readonly tools: readonly DemoTool[]
}

/**
 * Calls a tool and says something about its result. Without `call`, it only says something.
 *
 * @example
 * const step: DemoStep = { call: 'roll', input: () => ({ sides: 6 }), say: 'You rolled {text}.' }
 */
export type DemoStep = {
  /**
   * The tool. The server refuses a name that no run of the agent can have. The step is left out of a run without it,
   * such as that of a user who may not use it.
   */
  readonly call?: string | ((request: DemoRequest) => string | undefined)
  /** The input of the tool, from the match of `when`. An empty object if it is absent. */
  readonly input?: (match: RegExpExecArray, request: DemoRequest) => Readonly<Record<string, Json>>
  /** `{text}`, or the function's argument, is the text of the last tool result. Without `say`, the text itself. */
  readonly say?: DemoText | ((text: string) => string)
}

/** A kind of message and its answer: one step, and the steps of `next` if it succeeds. */
export type DemoExchange = DemoStep & {
  /** The messages that it answers: one pattern, or one for each language. It reads their first 2,000 characters. */
  readonly when: RegExp | Readonly<Record<DemoLanguage, RegExp>>
  /** A message that a user can try. Other answers list it. */
  readonly example?: DemoText
  readonly next?: readonly (DemoStep & {
    /** Leaves the step out unless the text of the last result matches. */
    readonly after?: RegExp
  })[]
}

/**
 * What the model without a key does for one agent. The first exchange that fits a message answers it. If none fits, the
 * model says what can be tried and how to set a key.
 *
 * @example
 * const demo: DemoScript = [
 *   {
 *     example: { en: 'Roll a die with 6 sides', zh: '掷一个 6 面的骰子' },
 *     when: /(?:roll|掷)\D*(\d+)/i,
 *     call: 'roll',
 *     input: ([, sides]) => ({ sides: Number(sides) }),
 *     say: { en: 'You rolled {text}.', zh: '掷出了 {text}。' },
 *   },
 *   { example: 'What is a d20?', when: /\bd20\b/i, say: 'A die with twenty sides.' },
 * ]
 */
export type DemoScript = readonly DemoExchange[]
