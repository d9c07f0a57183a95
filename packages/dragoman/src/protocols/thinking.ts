import { isJsonObject, type Json } from '../events/index.ts'

/** A view that says only whether reasoning is shown. It is, unless somebody says otherwise. */
export type ThinkingView = { readonly showThinking: boolean }

export function thinkingView(ofRun: Json, query: Readonly<Record<string, string>> = {}): ThinkingView {
  const asked = query['showThinking']
  if (asked !== undefined) return { showThinking: asked !== 'false' && asked !== '0' }
  return { showThinking: !(isJsonObject(ofRun) && ofRun['showThinking'] === false) }
}
