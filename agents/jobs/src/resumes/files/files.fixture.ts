import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

import { Document, HeadingLevel, Packer, Paragraph, Table, TableCell, TableRow } from 'docx'
import Pdf from 'pdfkit'

const fonts = new URL('../fonts/', `file://${createRequire(import.meta.url).resolve('@embedpdf/fonts-sc')}`)
const chinese = readFileSync(new URL('NotoSansHans-Regular.otf', fonts))

type Page = InstanceType<typeof Pdf>

/** A PDF as a word processor makes it; `draw` puts its text in, in a font that knows Chinese. For tests. */
export async function pdfOf(
  draw: (page: Page) => void,
  options: PDFKit.PDFDocumentOptions = {},
): Promise<Uint8Array> {
  const document = new Pdf({ size: 'A4', margin: 50, ...options })
  document.registerFont('han', chinese)
  const chunks: Uint8Array[] = []
  document.on('data', (chunk: Uint8Array) => chunks.push(chunk))
  const done = new Promise((resolve) => document.on('end', resolve))
  draw(document)
  document.end()
  await done
  return new Uint8Array(Buffer.concat(chunks))
}

/** A Word file of headings (`# …`), points (`- …`), rows of a table (`a | b`) and paragraphs. For tests. */
export async function docxOf(lines: readonly string[]): Promise<Uint8Array> {
  const children = lines.map((line) => {
    if (line.includes(' | ')) return new Table({ rows: [rowOf(line.split(' | '))] })
    const level = /^#+(?= )/.exec(line)?.[0].length
    if (level) {
      const heading = level === 1 ? HeadingLevel.TITLE : HeadingLevel.HEADING_1
      return new Paragraph({ text: line.slice(level + 1), heading })
    }
    return line.startsWith('- ')
      ? new Paragraph({ text: line.slice(2), bullet: { level: 0 } })
      : new Paragraph(line)
  })
  return new Uint8Array(await Packer.toBuffer(new Document({ sections: [{ children }] })))
}

function rowOf(cells: readonly string[]): TableRow {
  return new TableRow({ children: cells.map((cell) => new TableCell({ children: [new Paragraph(cell)] })) })
}
