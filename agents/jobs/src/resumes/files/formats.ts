import { ServiceError } from 'dragoman/errors'
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

/** So much text may be kept, in bytes: what the server passes on without standing. And so much may a file have. */
export const MAX_TEXT_BYTES = 1024 * 1024
export const MAX_FILE_BYTES = 20 * 1024 * 1024

/** @throws ServiceError `too-large` for a text that may not be kept */
export function refuseLongText(text: string): void {
  if (Buffer.byteLength(text) > MAX_TEXT_BYTES)
    throw new ServiceError('too-large', 'The text of a resume may have at most 1 MB')
}
