import Pdf from 'pdfkit'

import { type Resume } from './blocks.ts'
import { plain } from '../markdown/rich-text.ts'
import type { Drawing, DrawOptions } from './drawing.ts'
import { createFontFaceSplitter } from './font-face-splitter.ts'
import { featuresOf, fontOf, inFonts, registerFonts } from './fonts.ts'
import { paginate, type PlacedStrip } from './paginate.ts'
import type { Mark, LayoutContext } from './layout-context.ts'
import { layOutResume } from './lay-out-resume.ts'
import { paperSizes, styleOf, type Style } from './templates.ts'

/** Of what is asked twice the same bytes are made: no clock goes in. */
const DATE = new Date(0)
const FOOTER = { size: 8, face: { script: 'western', weight: 'regular', italic: false } } as const

/**
 * Makes a PDF of a resume: one column, its text in the order of reading, its fonts embedded as far as they are used.
 */
export async function drawPdf(resume: Resume, look: DrawOptions): Promise<Drawing> {
  const style = styleOf(look.template, look.language)
  const paper = paperSizes[look.paper]
  const pdf = blankPdf(resume, look)
  const bytes = collected(pdf)
  const replaced = new Set<string>()
  const sheet: LayoutContext = {
    style,
    width: paper.width - style.margins.side * 2,
    set: createFontFaceSplitter(inFonts(pdf), replaced),
    measure: measurer(pdf),
  }
  const pages = paginate(layOutResume(resume, sheet), paper.height - style.margins.top - style.margins.bottom)
  for (const [at, page] of pages.entries()) {
    pdf.addPage()
    for (const item of page) drawStrip(pdf, item, style)
    if (at > 0) drawNumber(pdf, `${at + 1} / ${pages.length}`, style)
  }
  pdf.end()
  return { bytes: await bytes, replaced: [...replaced] }
}

function blankPdf(resume: Resume, { paper, language, title }: DrawOptions): PDFKit.PDFDocument {
  const { width, height } = paperSizes[paper]
  const name = plain(resume.name ?? []).trim()
  const pdf = new Pdf({
    size: [width, height],
    margin: 0,
    autoFirstPage: false,
    pdfVersion: '1.7',
    lang: language === 'zh' ? 'zh-CN' : 'en',
    displayTitle: true,
    info: {
      Title: title ?? (name === '' ? 'Resume' : name),
      ...(name !== '' && { Author: name }),
      Creator: 'dragoman',
      CreationDate: DATE,
      ModDate: DATE,
    },
  })
  registerFonts(pdf)
  return pdf
}

/** Words come again and again: each is measured once, with the space that follows it. */
function measurer(pdf: PDFKit.PDFDocument): LayoutContext['measure'] {
  const widths = new Map<string, number>()
  return (text, face, size) => {
    const font = fontOf(face)
    let width = 0
    for (const word of text.split(/(?<= )/)) {
      const key = `${font} ${word}`
      const own = widths.get(key) ?? pdf.font(font).fontSize(1000).widthOfString(word, featuresOf(face))
      widths.set(key, own)
      width += own
    }
    return (width * size) / 1000
  }
}

function drawStrip(pdf: PDFKit.PDFDocument, { strip, y }: PlacedStrip, { margins }: Style): void {
  for (const mark of strip.marks) draw(pdf, mark, margins.side + mark.x, margins.top + y + mark.y)
}

function draw(pdf: PDFKit.PDFDocument, mark: Mark, x: number, y: number): void {
  switch (mark.kind) {
    case 'box':
      pdf.rect(x, y, mark.width, mark.height).fill(mark.color)
      return
    case 'text': {
      const { run, size, color, tracking } = mark
      const { face, href, text, width } = run
      pdf.font(fontOf(face)).fontSize(size).fillColor(color)
      pdf.text(text, x, y, {
        lineBreak: false,
        baseline: 'alphabetic',
        ...featuresOf(face),
        ...(tracking > 0 && { characterSpacing: tracking }),
      })
      if (href !== undefined) pdf.link(x, y - size, width, size * 1.3, href)
    }
  }
}

function drawNumber(pdf: PDFKit.PDFDocument, words: string, { margins, colors }: Style): void {
  pdf.font(fontOf(FOOTER.face)).fontSize(FOOTER.size).fillColor(colors.quiet)
  const x = pdf.page.width - margins.side - pdf.widthOfString(words)
  pdf.text(words, x, pdf.page.height - margins.bottom / 2, { lineBreak: false, baseline: 'alphabetic' })
}

async function collected(pdf: PDFKit.PDFDocument): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Buffer[] = []
  for await (const part of pdf) parts.push(part as Buffer)
  return Uint8Array.from(Buffer.concat(parts))
}
