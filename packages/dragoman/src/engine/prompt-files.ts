import type { LanguageModelV4FilePart, LanguageModelV4ToolResultPart } from '@ai-sdk/provider'

import { fileIdOf, mediaTypeOf, type FileEvent, type UserPart } from '../events/index.ts'

type UserFile = Extract<UserPart, { type: 'file' }>

/** Marks a stored file in a prompt, until its content takes the place. */
const STORED = 'stored-file:'
/** Enough of a file's content, in base64, to know its type. */
const START_CHARACTERS = 64

/** The data of a file in a prompt, by its address. A stored file's content is read before the prompt is sent. */
export function fileData(url: string): { readonly type: 'url'; readonly url: URL } {
  return { type: 'url', url: new URL(fileIdOf(url) === undefined ? url : `${STORED}${url}`) }
}

/** The path of a stored file, by its data in a prompt; undefined for any other. */
export function storedFileOf(data: { readonly type: string; readonly url?: URL }): string | undefined {
  return data.type === 'url' && data.url?.protocol === STORED ? data.url.href.slice(STORED.length) : undefined
}

/** Browsers derive the type from a file's name, and providers refuse an image of another type. */
export function toFilePart({ url, mediaType, filename }: UserFile): LanguageModelV4FilePart {
  const name = filename !== undefined && { filename }
  if (!url.startsWith('data:')) return { type: 'file', data: fileData(url), mediaType, ...name }
  const data = url.slice(url.indexOf(',') + 1)
  const declaredType = /^data:([^;,]+)/.exec(url)?.[1] ?? mediaType
  const start = Buffer.from(data.slice(0, START_CHARACTERS), 'base64')
  return { type: 'file', data: { type: 'data', data }, mediaType: mediaTypeOf(start, declaredType), ...name }
}

/** The part with a file named in place of its content. */
export function withoutFile(part: UserPart): UserPart {
  return part.type === 'text' ? part : { type: 'text', text: `[File: ${part.filename ?? part.mediaType}]` }
}

/** The text of a call's outcome and its files. */
export function toToolOutput(
  text: string,
  files: readonly FileEvent[],
): LanguageModelV4ToolResultPart['output'] {
  const isBlank = text.trim() === ''
  if (files.length === 0) return { type: 'text', value: isBlank ? 'The tool returned nothing.' : text }
  const parts = files.map(({ url, mediaType, filename }) => ({
    type: 'file' as const,
    data: fileData(url),
    mediaType,
    ...(filename !== undefined && { filename }),
  }))
  return {
    type: 'content',
    value: [...(isBlank ? [] : [{ type: 'text' as const, text }]), ...parts],
  }
}
