import type { Json } from './json.ts'

/** What the model used for its answer: a page, with its `url`, or a document, with its `mediaType`. */
export type SourceEvent = {
  readonly type: 'source'
  readonly sourceId: string
  readonly url?: string
  readonly title?: string
  readonly mediaType?: string
  readonly filename?: string
  readonly provider?: Json
}

/**
 * A file that the model or a tool made. `url` is the path of a stored file, or an address elsewhere. `reasoning`: a
 * file of the model's thoughts. `callId` is the call that returned it: such a file precedes the outcome of the call.
 */
export type FileEvent = {
  readonly type: 'file'
  readonly url: string
  readonly mediaType: string
  readonly kind: 'output' | 'reasoning'
  readonly filename?: string
  readonly callId?: string
  readonly provider?: Json
}

/** A part that only its provider understands, such as `openai.compaction`. `provider` is its content. */
export type CustomEvent = { readonly type: 'custom'; readonly kind: string; readonly provider?: Json }
