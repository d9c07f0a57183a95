import { ServiceError } from 'dragoman/errors'
import { readJsonResume, type JsonResume } from '../json-resume.ts'
import { languageOf } from '../../words/language.ts'
import { readMarkdown } from '../markdown/read-markdown.ts'
import { writeMarkdown } from '../markdown/write-markdown.ts'
import type { ReadFile } from './read-docx.ts'
import { MAX_FILE_BYTES, refuseLongText, type Format, type ReadResume, type ResumeText } from './formats.ts'
import { kindOf, textOf } from './kind.ts'
import { textMarkdown } from './plain-text.ts'

/**
 * Reads a resume, whatever it is. Heavy: it is for a thread of its own. @throws ServiceError `invalid-request`,
 * `too-large`
 */
export async function parseResume(input: ResumeText): Promise<ReadResume> {
  if ('file' in input) return readBytes(input.file)
  switch (input.format) {
    case 'markdown':
      return readText('markdown', small(input.content))
    case 'text':
      return readText('text', textMarkdown(small(input.content)))
    case 'json':
      return readJson(small(input.content))
    case 'pdf':
    case 'docx':
      return readExpected(input.format, fromBase64(input.content))
  }
}

function readExpected(format: 'pdf' | 'docx', bytes: Uint8Array): Promise<ReadResume> {
  if (kindOf(bytes) === format) return readBytes(bytes)
  throw new ServiceError('invalid-request', `content is not a ${format.toUpperCase()}, as format says`)
}

async function readBytes(bytes: Uint8Array): Promise<ReadResume> {
  if (bytes.byteLength === 0) throw new ServiceError('invalid-request', 'file is empty')
  if (bytes.byteLength > MAX_FILE_BYTES)
    throw new ServiceError('too-large', 'A PDF or DOCX may have at most 20 MB')
  // They take long to load, and most resumes need neither.
  switch (kindOf(bytes)) {
    case 'pdf': {
      const { readPdf } = await import('./read-pdf.ts')
      return readFile('pdf', await readPdf(bytes))
    }
    case 'docx': {
      const { readDocx } = await import('./read-docx.ts')
      return readFile('docx', await readDocx(bytes))
    }
    case 'text':
      return readTextFile(small(textOf(bytes)))
  }
}

function readTextFile(text: string): ReadResume {
  if (text.trim() === '') throw new ServiceError('invalid-request', 'file is empty')
  if (/^\s*\{\s*"/.test(text)) return readJson(text)
  return readText('text', textMarkdown(text))
}

function readFile(format: Format, { markdown, errors }: ReadFile): ReadResume {
  // What nothing could be read of needs no further complaints.
  if (markdown === '') return { ...empty(format), errors }
  const read = readText(format, small(markdown))
  return { ...read, errors: [...errors, ...read.errors] }
}

function empty(format: Format): ReadResume {
  return { format, markdown: '', data: '{}', name: undefined, language: 'en', errors: [], isLinkedIn: false }
}

/** Control characters, and the mark that some editors put before a text. */
const UNSEEN = /[^\P{Cc}\t\n]|^\uFEFF/gu

/** Before any work is done on it. */
function small(text: string): string {
  refuseLongText(text)
  return text
}

function readText(format: Format, text: string): ReadResume {
  const markdown = text.replace(/\r\n?/g, '\n').replace(UNSEEN, '').trim()
  if (markdown === '') throw new ServiceError('invalid-request', 'content is required')
  const { data, errors } = readMarkdown(markdown)
  return {
    format,
    markdown,
    errors,
    data: JSON.stringify(data),
    name: data.basics?.name,
    language: languageOf(markdown),
    isLinkedIn: format === 'pdf' && isLinkedIn(markdown.slice(0, 20_000)),
  }
}

/** The address of a profile is before its mark, perhaps broken into two lines. */
function isLinkedIn(text: string): boolean {
  const end = text.search(/\(LinkedIn\)/i)
  const before = text.slice(Math.max(0, end - 500), Math.max(0, end)).trimEnd()
  return before
    .split(/\s+/)
    .slice(-2)
    .some((word) => /linkedin\.com\/in\//i.test(word))
}

/** The data is kept as it came: of what its Markdown does not show nothing is lost until the Markdown is changed. */
function readJson(json: string): ReadResume {
  const { data, unknown } = readJsonResume(json)
  if (Object.values(data).every((part) => Object.keys(part ?? {}).length === 0)) {
    throw new ServiceError('invalid-request', 'content is a JSON Resume in which there is nothing')
  }
  const language = languageOf(wordsOf(data))
  const read = readText('json', writeMarkdown(data, language))
  const errors = unknown.map((field) => `JSON Resume has no field "${field.slice(0, 80)}": it is left out.`)
  return { ...read, language, data: JSON.stringify(data), errors: errors.slice(0, 20) }
}

function wordsOf(data: JsonResume): string {
  return JSON.stringify(Object.values(data)).replace(/"[\w-]+":/g, ' ')
}

function fromBase64(text: string): Uint8Array {
  if (text.length > MAX_FILE_BYTES * 1.5)
    throw new ServiceError('too-large', 'A PDF or DOCX may have at most 20 MB')
  const bare = text.replace(/^data:[^,]{0,200},/, '').replace(/\s+/g, '')
  if (!/^[A-Za-z0-9+/_-]*={0,2}$/.test(bare) || bare.length % 4 === 1) {
    throw new ServiceError('invalid-request', 'content is not valid base64')
  }
  return new Uint8Array(Buffer.from(bare, 'base64'))
}
