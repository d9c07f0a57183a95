import type { Language } from '../../words/language.ts'

/** What a resume is handed in as. */
export const formats = ['markdown', 'text', 'json', 'pdf', 'docx'] as const
export type Format = (typeof formats)[number]

/** A resume to be read: its text, a file in base64, or a file's bytes, which say themselves what they are. */
export type ResumeText = { readonly format: Format; readonly content: string } | { readonly file: Uint8Array }

/** A resume that was read. */
export type ReadResume = {
  readonly format: Format
  readonly markdown: string
  /** As JSON. */
  readonly data: string
  readonly name: string | undefined
  readonly language: Language
  /** What could not be read or understood. */
  readonly errors: readonly string[]
  /** Made by LinkedIn of a profile. */
  readonly isLinkedIn: boolean
}

/** So much text may be kept, in bytes; and so much may a file have. */
export const MAX_TEXT_BYTES = 5 * 1024 * 1024
export const MAX_FILE_BYTES = 20 * 1024 * 1024
