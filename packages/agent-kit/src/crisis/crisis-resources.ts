import texts from './crisis-resources.json' with { type: 'json' }

type Phrase = Readonly<Record<'zh' | 'en', string>>

/** A help line or a website for people in a crisis. */
export type CrisisResource = {
  /** ISO 3166-1; absent for a service that covers all countries. */
  readonly country?: string
  readonly name: Phrase
  /** A number to call, or an address to open. */
  readonly contact: string
  readonly note: Phrase
}

/**
 * 12356: the number of all of China's psychological help lines since 1 May 2025, at least 18 hours a day, by the
 * National Health Commission's notice of 25 December 2024. 18111: Hong Kong's Health Bureau, since 27 December
 * 2023. 1925: Taiwan's Ministry of Health and Welfare. 988: the lifeline of the United States, calls, texts and
 * chat at any hour, 988lifeline.org. findahelpline.com lists lines of other countries.
 */
export const crisisResources: readonly CrisisResource[] = texts.resources

/** One paragraph of comfort, with the most important help lines. */
export const crisisText: Phrase = texts.text
