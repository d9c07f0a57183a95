/**
 * What a provider needs for a tool that it defines: web search, code execution, a text editor.
 *
 * @example
 * const webSearch: ProviderTool = { id: 'anthropic.web_search_20250305', args: { maxUses: 3 }, runsThere: true }
 */
export type ProviderTool = {
  readonly id: `${string}.${string}`
  readonly args: Readonly<Record<string, unknown>>
  /** Whether the provider also runs it. */
  readonly runsThere: boolean
}
