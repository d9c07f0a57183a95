import { isJsonObject, type Json } from '../events/index.ts'

/** A view with one option: whether reasoning is shown. It is by default. */
export type ThinkingViewOptions = { readonly showThinking: boolean }

export function parseThinkingViewOptions(
  ofRun: Json,
  query: Readonly<Record<string, string>> = {},
): ThinkingViewOptions {
  const queryValue = query['showThinking']
  if (queryValue !== undefined) return { showThinking: queryValue !== 'false' && queryValue !== '0' }
  return { showThinking: !(isJsonObject(ofRun) && ofRun['showThinking'] === false) }
}
