import { normalForm } from 'dragoman/events'
import { getDocumentProxy } from 'unpdf'

import { ServiceError } from 'dragoman/errors'
import type { ReadFile } from './read-docx.ts'
import { linesOf, type Item, type Line } from './pdf-lines.ts'
import { pdfMarkdown } from './pdf-markdown.ts'

type Document = Awaited<ReturnType<typeof getDocumentProxy>>

const MAX_PAGES = 40

/** Reads a PDF's text. @throws ServiceError `invalid-request` for what is none, is damaged or has a password */
export async function readPdf(bytes: Uint8Array): Promise<ReadFile> {
  const absent = new Set<string>()
  const document = await opened(bytes, absent)
  try {
    const pages: (readonly Line[])[] = []
    const errors: string[] = []
    for (let number = 1; number <= Math.min(document.numPages, MAX_PAGES); number += 1) {
      const lines = await pageLines(document, number)
      if (lines === undefined) errors.push(`Page ${number} is damaged: it could not be read.`)
      else if (lines.length === 0)
        errors.push(`Page ${number} holds no text: it is probably a scanned image.`)
      pages.push(lines ?? [])
    }
    if (document.numPages > MAX_PAGES) errors.push(`Only the first ${MAX_PAGES} pages were read.`)
    const markdown = pdfMarkdown(pages)
    if (absent.size > 0) errors.push(WITHOUT_FONTS)
    else if (markdown === '') return { markdown, errors: [SCANNED] }
    return { markdown, errors: [...errors, ...unreadable(markdown)] }
  } finally {
    await document.loadingTask.destroy()
  }
}

const SCANNED =
  'The PDF holds no text: it is probably a scanned image. Put the text in by hand, or send a ' +
  'PDF made by a word processor.'

const WITHOUT_FONTS =
  'Some of the text cannot be read: the PDF does not hold its Chinese fonts. Save it with its fonts, or send a DOCX.'

/**
 * `absent` gets the names of the tables that the PDF takes for given, and that we do not have: text that needs them
 * is not read.
 */
async function opened(bytes: Uint8Array, absent: Set<string>): Promise<Document> {
  const tables = function (): { fetch(asked: { kind: string; filename: string }): Promise<Uint8Array> } {
    return {
      fetch: ({ kind, filename }) => {
        if (kind === 'cMapUrl') absent.add(filename)
        return Promise.reject(new Error(`There is no ${filename} here.`))
      },
    }
  }
  try {
    return await getDocumentProxy(bytes, {
      verbosity: 0,
      disableFontFace: true,
      useSystemFonts: false,
      BinaryDataFactory: tables,
    })
  } catch (cause) {
    const isLocked = cause instanceof Error && cause.name === 'PasswordException'
    throw new ServiceError(
      'invalid-request',
      isLocked
        ? 'The PDF has a password: save it without one'
        : 'The PDF cannot be read: it is damaged or no PDF',
      { cause },
    )
  }
}

/** Nothing where the page is damaged. */
async function pageLines(document: Document, number: number): Promise<readonly Line[] | undefined> {
  try {
    const page = await document.getPage(number)
    const { items } = await page.getTextContent()
    page.cleanup()
    return linesOf(items.flatMap((item) => ('str' in item ? [itemOf(item)] : [])))
  } catch (error) {
    if (error instanceof RangeError) throw error
    return undefined
  }
}

function itemOf({ str, transform, width }: { str: string; transform: number[]; width: number }): Item {
  const [, , c = 0, d = 0, x = 0, y = 0] = transform
  return { text: readable(str), x, y, width, size: Math.hypot(c, d) }
}

/** Some programs write radicals for characters, and signs that only look like others: we want what is meant. */
function readable(text: string): string {
  return text
    .replace(/[\u2E80-\u2FDF\uF900-\uFAFF\uFB00-\uFB06]/g, (char) => normalForm(char, 'NFKC'))
    .replaceAll('\u00A0', ' ')
    .replace(/\p{Cc}/gu, '')
}

/** Where a PDF does not say which characters its signs are, its text is none. */
function unreadable(markdown: string): readonly string[] {
  const strange = markdown.match(/[\uFFFD\uE000-\uF8FF]/g)?.length ?? 0
  return strange * 20 > markdown.length
    ? ['Much of the text cannot be read: its fonts do not say what they show.']
    : []
}
