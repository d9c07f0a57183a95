import type { Workplace } from '../../places/workplace.ts'
import type { Source } from '../../tables.ts'

/** What a part of a page says of its posting. What it does not say is absent, null or ''. */
export type SiteReading = {
  readonly title?: string | undefined
  readonly company?: string | undefined
  readonly location?: string | undefined
  /** In the page's own words. */
  readonly salary?: string | undefined
  readonly workplace?: Workplace | null | undefined
  readonly employmentType?: string | null | undefined
  /** An ISO time. */
  readonly postedAt?: string | null | undefined
  /** HTML, or text. */
  readonly description?: string | undefined
}

/** The elements of a page that hold a field, the most reliable first: selectors, or `selector@attribute`. */
type Selectors = readonly string[]

/** How one site shows its postings. */
export type Site = {
  readonly source: Source
  /** One of these is a label of its host names. */
  readonly names: readonly string[]
  /** The site's name, if it shows postings only to a browser with a signed-in user or a solved check. */
  readonly browsersOnly?: string
  readonly title: Selectors
  readonly company: Selectors
  readonly location: Selectors
  /** All elements of the first selector that matches belong to the description, in their order. */
  readonly description: Selectors
  /** Short texts that say pay, workplace, employment type or age, in any order. */
  readonly facts: Selectors
  /** A selector for elements in a description that do not belong to it. */
  readonly furniture?: string
  /** Words in a description that do not belong to it. BOSS直聘 hides such words to catch copies. */
  readonly watermark?: readonly string[]
  /** The line before the description in a pasted page, where it is not one of the usual headings. */
  readonly begins?: readonly string[]
  /** The variable, or the id of the script, that holds the page's data. */
  readonly state?: string
}

/** Joins readings field by field. The first that states a field wins. */
export function mergeReadings(...readings: readonly (SiteReading | undefined)[]): SiteReading {
  const stated = readings.map((reading) => Object.entries(reading ?? {}).filter(([, value]) => value))
  return Object.fromEntries(stated.toReversed().flat())
}
