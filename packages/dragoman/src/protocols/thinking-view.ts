import { isJsonObject, type Json } from '../events/index.ts'

/** A view with one option: whether reasoning is shown. It is by default. */
export type ThinkingView = { readonly showThinking: boolean }

export function thinkingView(ofRun: Json, query: Readonly<Record<string, string>> = {}): ThinkingView {
  const queryValue = query['showThinking']
  if (queryValue !== undefined) return { showThinking: queryValue !== 'false' && queryValue !== '0' }
  return { showThinking: !(isJsonObject(ofRun) && ofRun['showThinking'] === false) }
}
