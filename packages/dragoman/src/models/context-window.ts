/** The context window of an unknown model, in tokens. */
const DEFAULT_CONTEXT_WINDOW = 128_000

/**
 * By a pattern of the model id; the first match counts. For vendors that count input and output separately, it
 * is the input.
 */
const CONTEXT_WINDOWS: readonly (readonly [RegExp, number])[] = [
  [/claude-(?:opus-4-[6-9]|sonnet-4-6|(?:opus|sonnet|fable)-[5-9])/, 1_000_000],
  [/claude/, 200_000],
  [/gpt-4\.1/, 1_047_576],
  [/gpt-4(?:o|-turbo|\.5)|chatgpt-4o/, 128_000],
  [/gpt-4(?!\d)/, 8192],
  [/gpt-3\.5/, 16_385],
  [/gpt-[5-9]/, 272_000],
  [/(?:^|\/)o[1-9](?:-|$)/, 200_000],
  [/gemini/, 1_048_576],
]

/** How many tokens a model can read, by its id. */
export function contextWindowOf(modelId: string): number {
  const id = modelId.toLowerCase()
  return CONTEXT_WINDOWS.find(([pattern]) => pattern.test(id))?.[1] ?? DEFAULT_CONTEXT_WINDOW
}

/** Tokens are estimated. */
const INPUT_SHARE = 0.9

/** How many tokens a request may have: the answer needs room in the same window. */
export function maxInputTokens(contextWindow: number, maxOutputTokens = contextWindow / 8): number {
  if (contextWindow === Infinity) return Infinity
  return Math.floor((contextWindow - Math.min(maxOutputTokens, contextWindow / 2)) * INPUT_SHARE)
}
