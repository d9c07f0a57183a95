import mammoth from 'mammoth'

import { ServiceError } from 'dragoman/errors'
import { MAX_MARKDOWN_CHARACTERS, toMarkdown } from '@dragoman/agent-kit/pages/to-markdown'
import { sectionOf } from '../markdown/sections.ts'
import { withHeadings } from './plain-text.ts'
import { openZip, type Zip } from './zip.ts'

/** What a file says, as Markdown, and what of it could not be read. */
export type ReadFile = { readonly markdown: string; readonly errors: readonly string[] }

/** The text of a long book has less. */
const MAX_UNPACKED_BYTES = 24 * 1024 * 1024

/** The title is the name, so that the first headings are those of sections. */
const STYLES = [
  "p[style-name='Title'] => h1:fresh",
  "p[style-name='heading 1'] => h2:fresh",
  "p[style-name='Heading 1'] => h2:fresh",
  "p[style-name='heading 2'] => h3:fresh",
  "p[style-name='Heading 2'] => h3:fresh",
  "p[style-name='heading 3'] => h4:fresh",
  "p[style-name='Heading 3'] => h4:fresh",
]

/** Reads a Word file. Its pictures are not looked at. @throws ServiceError `invalid-request` for what cannot be read */
export async function readDocx(bytes: Uint8Array): Promise<ReadFile> {
  const zip = opened(bytes)
  const html = await converted(zip)
  const markdown = withHeadings(withName(withPlainAddresses(toMarkdown(withRows(html)))))
  if (markdown === '')
    return { markdown, errors: ['The file holds no text: what it shows are probably pictures.'] }
  const isCut = markdown.length >= MAX_MARKDOWN_CHARACTERS
  return {
    markdown,
    errors: isCut ? ['The file is too long: what comes after its first part is left out.'] : [],
  }
}

/** A name that is a heading instead of a title: the only one so high, and the first of all. */
function withName(markdown: string): string {
  const first = /^## (.+)/u.exec(markdown)?.[1]
  const isName = first !== undefined && !sectionOf(first) && !/^# |\n## /mu.test(markdown)
  return isName ? markdown.replaceAll(/^##(?=#{0,4} )/gmu, '#') : markdown
}

/** Word makes a link of an address as soon as it is typed. */
function withPlainAddresses(markdown: string): string {
  return markdown.replaceAll(
    /\[([^\][\s]{1,200})\]\(mailto:([^\][\s]{1,200})\)/gu,
    (link, text: string, address: string) => (text === address ? text : link),
  )
}

function opened(bytes: Uint8Array): Zip {
  let zip: Zip
  try {
    zip = openZip(bytes, MAX_UNPACKED_BYTES)
  } catch (cause) {
    throw new ServiceError('invalid-request', 'The DOCX cannot be read: it is damaged', { cause })
  }
  if (zip.has('word/document.xml')) return zip
  throw new ServiceError('invalid-request', 'The file is a zip, but not a Word file (DOCX)')
}

async function converted(zip: Zip): Promise<string> {
  // It takes a file that was opened before, which its types do not say: so that it unpacks nothing by itself.
  const file = {
    exists: (name: string) => zip.has(name),
    read: async (name: string, encoding?: string) => {
      const content = zip.read(name)
      return encoding === undefined ? content : new TextDecoder(encoding).decode(content)
    },
  }
  try {
    const { value } = await mammoth.convertToHtml({ file } as never, {
      styleMap: STYLES,
      convertImage: mammoth.images.imgElement(() => Promise.resolve({ src: '' })),
    })
    return value
  } catch (cause) {
    const isLarge = cause instanceof RangeError
    const message = isLarge ? 'The DOCX unpacks to too much' : 'The DOCX cannot be read: it is damaged'
    throw new ServiceError('invalid-request', message, { cause })
  }
}

/** A table's row of short cells is one line; other tables only arrange the page, and their cells follow each other. */
function withRows(html: string): string {
  return html.replace(
    /<tr>((?:<t[dh][^<>]*>(?:<p>(?:[^<]|<(?![pt/])|<\/(?!p)){0,200}<\/p>)?<\/t[dh]>){2,8})<\/tr>/g,
    (_, cells: string) => {
      const texts = [
        ...cells.matchAll(/<t[dh][^<>]*>(?:<p>((?:[^<]|<(?![pt/])|<\/(?!p))*)<\/p>)?<\/t[dh]>/g),
      ].map(([, text = '']) => text.trim())
      return `<tr><td><p>${texts.filter((text) => text !== '').join(' | ')}</p></td></tr>`
    },
  )
}
