import type { Language } from '../words/language.ts'
import type { Weight } from './font-face-splitter.ts'
import styles from './templates.json' with { type: 'json' }

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
  readonly centered: boolean
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

type TypeNames = 'name' | 'contact' | 'section' | 'entry'
type PartialTypes = { readonly [Name in TypeNames | 'body']?: Partial<TypeStyle> }
/** Types inherit from `body`. `chinese` replaces values: Chinese characters need more space between lines. */
type StoredStyle = Omit<Style, TypeNames> & PartialTypes & { readonly chinese: PartialTypes }

export function styleOf(template: Template, language: Language): Style {
  const { chinese, ...stored } = styles[template] as StoredStyle
  const changes = language === 'zh' ? chinese : {}
  const body = { ...stored.body, ...changes.body }
  const typeOf = (name: TypeNames): TypeStyle => ({ ...body, ...stored[name], ...changes[name] })
  return {
    ...stored,
    name: typeOf('name'),
    contact: typeOf('contact'),
    section: typeOf('section'),
    entry: typeOf('entry'),
    body,
  }
}
