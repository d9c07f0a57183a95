import type { Json } from '../../events/index.ts'

/** A language that the demo model answers in. */
export type DemoLanguage = 'en' | 'zh'

/** Words for every language, or the words of each language. */
export type DemoText = string | Readonly<Record<DemoLanguage, string>>

/** A tool of the run, as the model is offered it. */
export type DemoTool = {
  readonly name: string
  readonly description: string
  /** JSON Schema. */
  readonly inputSchema: Json
}

/** A tool call. It is made only if the run has the tool. */
export type DemoCall = {
  readonly tool: string
  readonly input: Readonly<Record<string, Json>>
}

/** The result of a tool call. */
export type DemoOutcome = {
  readonly tool: string
  readonly input: Json
  /** False if the tool failed, or if a person refused the call. */
  readonly ok: boolean
  /** All that the tool returned, or why it failed. */
  readonly text: string
  /** As much of the text as fits an answer. */
  readonly quote: string
  /** What the model says of the result if the script says nothing. */
  readonly summary: string
}

/**
 * What the demo model has read of a conversation.
 *
 * @example
 * const greet = ({ request, language }: DemoConversation) => (language === 'zh' ? `你说：${request}` : `You said: ${request}`)
 */
export type DemoConversation = {
  /** The language of the request, or the one that a line like "Answer in Chinese" of the system prompt asks for. */
  readonly language: DemoLanguage
  /** The system prompt. */
  readonly system: string
  /** The user's last message, without the context of the client. */
  readonly request: string
  /** The user's message before it. */
  readonly previousRequest?: string
  /** The lines about the client's context that stand before the request. */
  readonly context: readonly string[]
  readonly tools: readonly DemoTool[]
  /** The results of the calls made for this request so far. */
  readonly outcomes: readonly DemoOutcome[]
  /** The text of the answer so far: empty, except before a further step and after a crash. */
  readonly answered: string
}

/**
 * One step of an answer.
 *
 * @example
 * const reply: DemoReply = { calls: [{ tool: 'roll', input: { sides: 6 } }], thought: 'The user wants a die rolled.' }
 */
export type DemoReply = {
  /** Calls to make now. Once they have results, the script is asked again. Without any, the answer is complete. */
  readonly calls?: readonly DemoCall[]
  /** The reasoning before the calls. */
  readonly thought?: string
  /** The whole answer, or what is said before the calls. After a crash the model continues it where it was cut off. */
  readonly text?: string
  /** False if the model must not introduce itself below this answer. */
  readonly introduction?: false
}

/** Something that a user can try. */
export type DemoExample = {
  /** Listed when the model has no answer, if the run has the tool that it calls. */
  readonly example?: DemoText
  /** The name of the tool that it calls. */
  readonly call?: string
  /** Whether the tool changes nothing, so that a call that was lost in a crash is made again. */
  readonly readOnly?: boolean
}

/** One scripted exchange: a kind of request, and the answer. */
export type DemoExchange = DemoExample & {
  /** The requests that it answers. Only their first 2,000 characters are read. */
  readonly when: RegExp
  /** The input of `call`; an empty object if it is absent. */
  readonly input?: (match: RegExpExecArray, conversation: DemoConversation) => DemoCall['input']
  /** The answer. `{text}`, or the function's first argument, is the quote of what the tool returned. */
  readonly say?: DemoText | ((text: string, conversation: DemoConversation) => string)
}

/** A function in place of an exchange, for answers of several steps. */
export type DemoRule = {
  readonly examples: readonly DemoExample[] | ((tools: readonly DemoTool[]) => readonly DemoExample[])
  /** The next step of the answer. Undefined if the request is not for this rule. */
  readonly reply: (conversation: DemoConversation) => DemoReply | undefined
}

/**
 * What the model without a key does for one agent. The first exchange or rule that fits a request answers it. If none
 * fits, the model says what can be tried and how to set a key.
 *
 * @example
 * const demo: DemoScript = [
 *   {
 *     example: { en: '“Roll a die with 6 sides”', zh: '“掷一个 6 面的骰子”' },
 *     when: /(?:roll|掷)\D*(\d+)/i,
 *     call: 'roll',
 *     input: ([, sides]) => ({ sides: Number(sides) }),
 *     say: { en: 'You rolled {text}.', zh: '掷出了 {text}。' },
 *   },
 *   { example: '“What is a d20?”', when: /\bd20\b/i, say: 'A die with twenty sides.' },
 * ]
 */
export type DemoScript = readonly (DemoExchange | DemoRule)[]

/** A script, or a function that loads it the first time that the demo model answers. */
export type DemoSource = DemoScript | (() => Promise<DemoScript>)
