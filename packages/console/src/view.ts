/** JSON. */
type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

/**
 * What the console gives to a card of an agent, for one call of a tool.
 *
 * @example
 * export default function DiceCard({ output, language }: ToolCardProps) {
 *   return <p>{language === 'zh' ? '掷出了' : 'You rolled'} {JSON.stringify(output)}</p>
 * }
 */
export type ToolCardProps = {
  readonly tool: string
  readonly input: Json
  /** What the tool has returned: the card is shown once it has. */
  readonly output: Json
  /** The language of the page: `en`, `zh` or another one. */
  readonly language: string
  /** Sends a message of the user, with a context for the agent. Undefined while no message can be sent. */
  readonly send: ((text: string, context?: { readonly [key: string]: Json }) => void) | undefined
}

/**
 * What the console gives to the welcome of an agent, before a conversation begins.
 *
 * @example
 * export default function Welcome({ language }: WelcomeProps) {
 *   return <p>{language === 'zh' ? '你好' : 'Hello'}</p>
 * }
 */
export type WelcomeProps = {
  /** The language of the page: `en`, `zh` or another one. */
  readonly language: string
}
