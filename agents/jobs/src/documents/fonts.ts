import { createRequire } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'

import { fonts as western } from '@embedpdf/fonts-latin'
import { fonts as chinese } from '@embedpdf/fonts-sc'

import type { Face, InFont, Script, Weight } from './font-face-splitter.ts'

type FontFile = { readonly file: string; readonly weight: number; readonly italic?: boolean }

/**
 * Noto Sans, and Noto Sans SC for Chinese. One size and one weight of both go together: their stems, their heights
 * and the line they stand on are alike. The packages are typed by one that they do not bring.
 */
const families: Readonly<Record<Script, { readonly package: string; readonly files: readonly FontFile[] }>> =
  {
    western: { package: '@embedpdf/fonts-latin', files: western },
    chinese: { package: '@embedpdf/fonts-sc', files: chinese },
  }

/** As fonts number them. */
const weights: Readonly<Record<number, Weight>> = { 300: 'light', 400: 'regular', 500: 'medium', 700: 'bold' }

const { resolve } = createRequire(import.meta.url)

/** Tells a document of the fonts. None is read before it is used. */
export function registerFonts(pdf: PDFKit.PDFDocument): void {
  for (const script of ['western', 'chinese'] as const) {
    const folder = new URL('../fonts/', pathToFileURL(resolve(families[script].package)))
    for (const { file, weight: number, italic = false } of families[script].files) {
      const weight = weights[number]
      if (weight) pdf.registerFont(fontOf({ script, weight, italic }), fileURLToPath(new URL(file, folder)))
    }
  }
}

/** The name under which a face is known to a document. */
export function fontOf({ script, weight, italic }: Face): string {
  return `${script} ${weight}${italic ? ' italic' : ''}`
}

/**
 * Letters are set as they are written. The font would put `o` and a dot for `ọ`, and pdfkit would tell programs that
 * read the file that each `o` in it is that letter; ligatures stand out where letters are spaced. Typed as a list,
 * but a record is what turns features off.
 */
const AS_WRITTEN = { ccmp: false, liga: false } as unknown as PDFKit.Mixins.OpenTypeFeatures[]

export function featuresOf({ script }: Face): { features?: PDFKit.Mixins.OpenTypeFeatures[] } {
  return script === 'western' ? { features: AS_WRITTEN } : {}
}

/**
 * Looks in the poorest of each: the italics lack three signs that the others have. pdfkit does not say, the fonts
 * that it opened do.
 */
export function inFonts(pdf: PDFKit.PDFDocument): InFont {
  type Opened = { readonly _font: { readonly font: { hasGlyphForCodePoint(codePoint: number): boolean } } }
  const opened = (face: Face): Opened['_font']['font'] => {
    const { _font: font } = pdf.font(fontOf(face)) as unknown as Opened
    return font.font
  }
  const fonts = {
    western: opened({ script: 'western', weight: 'regular', italic: true }),
    chinese: opened({ script: 'chinese', weight: 'regular', italic: false }),
  }
  return (script, codePoint) => fonts[script].hasGlyphForCodePoint(codePoint)
}
