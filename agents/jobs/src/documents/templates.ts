import type { Language } from '../words/language.ts'
import type { Weight } from './faces.ts'

export const templates = ['classic', 'modern', 'compact'] as const
export type Template = (typeof templates)[number]

export const papers = ['a4', 'letter'] as const
export type Paper = (typeof papers)[number]

/** In points, 72 to an inch. */
export const paperSizes: Readonly<Record<Paper, { readonly width: number; readonly height: number }>> = {
  a4: { width: 595.28, height: 841.89 },
  letter: { width: 612, height: 792 },
}

export type TypeStyle = {
  readonly size: number
  /** The height of a line, in sizes. */
  readonly leading: number
  readonly weight: Weight
  readonly color: string
  /** Space between letters, in sizes. Readers of PDF take more than a tenth for a space between words. */
  readonly tracking: number
  readonly centred: boolean
}

export type Style = {
  readonly margins: { readonly side: number; readonly top: number; readonly bottom: number }
  readonly name: TypeStyle
  readonly contact: TypeStyle
  readonly section: TypeStyle
  readonly entry: TypeStyle
  readonly body: TypeStyle
  /** What marks a section: a line below it, one above, or a band behind. */
  readonly mark: {
    readonly kind: 'below' | 'above' | 'band'
    readonly color: string
    readonly weight: number
  }
  /** What parts the head from the rest. */
  readonly headRule?: { readonly color: string; readonly weights: readonly number[] }
  readonly colors: {
    readonly link: string
    readonly quiet: string
    readonly bullet: string
    readonly rule: string
  }
  readonly strong: Weight
  readonly bullets: readonly string[]
  /** How far a list stands in. */
  readonly indent: number
  readonly gaps: {
    readonly head: number
    readonly section: number
    readonly afterSection: number
    readonly entry: number
    readonly paragraph: number
    readonly item: number
  }
}

/** Chinese signs fill their squares: they want more air between lines than letters do. */
export function styleOf(template: Template, language: Language): Style {
  const chinese = language === 'zh'
  switch (template) {
    case 'classic':
      return classic(chinese)
    case 'modern':
      return modern(chinese)
    case 'compact':
      return compact(chinese)
  }
}

const INK = '#1a1a1a'

/** Black on white, its head and its sections centred, a hairline below each: what banks and universities expect. */
function classic(chinese: boolean): Style {
  const size = 10
  const body = {
    size,
    leading: chinese ? 1.62 : 1.42,
    weight: 'regular',
    color: INK,
    tracking: 0,
    centred: false,
  } as const
  return {
    margins: { side: 64, top: 58, bottom: 58 },
    name: {
      ...body,
      size: 24,
      leading: 1.25,
      weight: chinese ? 'medium' : 'regular',
      tracking: chinese ? 0.045 : 0.02,
      centred: true,
    },
    contact: { ...body, size: size - 0.6, leading: 1.5, centred: true },
    section: {
      ...body,
      size: size + 1.8,
      leading: 1.3,
      weight: 'bold',
      tracking: chinese ? 0.06 : 0.03,
      centred: true,
    },
    entry: { ...body, weight: 'bold', size: size + 0.3 },
    body,
    mark: { kind: 'below', color: '#555555', weight: 0.6 },
    headRule: { color: INK, weights: [1.4, 0.5] },
    colors: { link: INK, quiet: INK, bullet: INK, rule: '#999999' },
    strong: 'bold',
    bullets: ['•', '–', '·'],
    indent: 15,
    gaps: { head: 10, section: 15, afterSection: 5, entry: 8, paragraph: 4, item: 1.5 },
  }
}

/** A sans with one colour, a large light name at the left, air around all. */
function modern(chinese: boolean): Style {
  const accent = '#0f5c6e'
  const size = chinese ? 9.8 : 10
  const body = {
    size,
    leading: chinese ? 1.68 : 1.5,
    weight: 'regular',
    color: '#22282c',
    tracking: 0,
    centred: false,
  } as const
  return {
    margins: { side: 56, top: 56, bottom: 56 },
    name: { ...body, size: 30, leading: 1.35, weight: 'light', color: accent, tracking: 0.005 },
    contact: { ...body, size: size - 0.8, leading: 1.6, color: '#59646b' },
    section: { ...body, size: size + 3, leading: 1.35, weight: 'medium', color: accent, tracking: 0.01 },
    entry: { ...body, size: size + 0.6, leading: 1.45, weight: 'medium', color: '#11171a' },
    body,
    mark: { kind: 'above', color: accent, weight: 2.2 },
    colors: { link: accent, quiet: '#6a757c', bullet: accent, rule: '#d5dcdf' },
    strong: 'medium',
    bullets: ['•', '–', '·'],
    indent: 14,
    gaps: { head: 6, section: 18, afterSection: 3, entry: 9, paragraph: 5, item: 2 },
  }
}

/** As much as a page holds and can still be read: small, narrow margins, sections in bands. */
function compact(chinese: boolean): Style {
  const size = chinese ? 8.8 : 9
  const body = {
    size,
    leading: chinese ? 1.45 : 1.34,
    weight: 'regular',
    color: '#111111',
    tracking: 0,
    centred: false,
  } as const
  return {
    margins: { side: 40, top: 36, bottom: 38 },
    name: { ...body, size: 17, leading: 1.2, weight: 'bold' },
    contact: { ...body, size: size - 0.4, leading: 1.4, color: '#444444' },
    section: {
      ...body,
      size: size + 0.6,
      leading: 1.6,
      weight: 'bold',
      color: '#1f2d3d',
      tracking: chinese ? 0.03 : 0.015,
    },
    entry: { ...body, weight: 'bold', size: size + 0.2 },
    body,
    mark: { kind: 'band', color: '#e9edf1', weight: 0 },
    colors: { link: '#1d4e89', quiet: '#555555', bullet: '#555555', rule: '#c3cad1' },
    strong: 'bold',
    bullets: ['•', '–', '·'],
    indent: 11,
    gaps: { head: 4, section: 7, afterSection: 3, entry: 4, paragraph: 2, item: 0.6 },
  }
}
