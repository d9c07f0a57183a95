import type { Language } from '../words/language.ts'
import type { Paper, Template } from './templates.ts'

/** How a document is to look. */
export type DrawOptions = {
  readonly template: Template
  readonly paper: Paper
  readonly language: Language
  readonly title?: string
}

/** A document, as a file. */
export type Drawing = {
  readonly bytes: Uint8Array<ArrayBuffer>
  /** The signs that no font has, each once: another stands in the place of each. */
  readonly replaced: readonly string[]
}
