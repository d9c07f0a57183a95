import type { Json } from 'dragoman/events'
import type { Workplace } from '../../places/workplace.ts'
import type { Source } from '../../tables.ts'

/** What a place of a page says of its posting. What it does not say is absent or ''. */
export type SiteReading = {
  readonly title?: string | undefined
  readonly company?: string | undefined
  readonly location?: string | undefined
  /** As it stands there. */
  readonly salary?: string | undefined
  readonly workplace?: Workplace | undefined
  readonly employmentType?: string | undefined
  /** An ISO time. */
  readonly postedAt?: string | undefined
  /** HTML, or text. */
  readonly description?: string | undefined
}

/** Selectors, the surest first; `selector@name` reads an attribute. */
export type Places = {
  readonly title: readonly string[]
  readonly company: readonly string[]
  readonly location: readonly string[]
  /** All that match the first that does, in their order. */
  readonly description: readonly string[]
  /** Short texts that say pay, workplace, kind of employment or age, in any order. */
  readonly facts: readonly string[]
}

/** How one board shows its postings. */
export type Site = {
  readonly source: Source
  /** One of these is a label of its host names. */
  readonly names: readonly string[]
  readonly places: Places
  /** What stands in the midst of its descriptions and is none of them: selectors, and lines that are nothing else. */
  readonly furniture?: string
  readonly watermark?: RegExp
  /** The variable, or the id of the script, that holds the page's data, and how it is read. */
  readonly state?: {
    readonly name: string
    readonly read: (state: Json, url: URL) => SiteReading
  }
  /** How it reads as text alone: what the lines before the description say. */
  readonly head: (lines: readonly string[], url: URL) => SiteReading
  /** The line after which the description begins, where it is not one of the usual headings. */
  readonly begins?: RegExp
}
