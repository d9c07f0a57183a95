import { normalForm } from 'dragoman/events'
import { sql, type RawBuilder } from 'kysely'

import { placesIn } from '../places/places-in.ts'
import { workplaceIn } from '../places/workplace.ts'

const MAX_CHARACTERS = 300

/** The end of a company's name that some postings omit. */
const LEGAL_FORM =
  /(?<![\s,.])[\s,.]+(?:inc|llc|ltd|limited|gmbh|ag|corp|corporation|co|company|plc|s\.?a|b\.?v|pte|pty|group)\.?$/iu
const CHINESE_LEGAL_FORM = /(?:股份)?(?:有限(?:责任)?公司|集团|公司)$/u
/** `(Remote)`, `（急聘）`, `[m/f/d]`. */
const ASIDES = /[(（[【][^)）\]】]{0,80}[)）\]】]/gu

/** The same for postings that are most likely one opening: the same company, title and places. */
export function repostKey(posting: {
  readonly title: string
  readonly company: string
  readonly location: string | null
}): string | null {
  const title = plain(normalForm(posting.title, 'NFKC').replaceAll(ASIDES, ' '))
  const company = plain(withoutLegalForm(normalForm(posting.company, 'NFKC').trim()))
  if (title === '' || company === '') return null
  const places = placesIn(posting.location ?? '')
    .map((place) => plain(place.replaceAll(ASIDES, ' ').split(/[,，·]/u)[0] ?? ''))
    // `Remote` is not a place.
    .filter((place) => place !== '' && workplaceIn(place) === null)
  return [company, title, places.toSorted().join('+')].join('|').slice(0, MAX_CHARACTERS)
}

/** The first posting of the opening of a row of `jobs`, if the row is a later one. */
export function repostOf(): RawBuilder<number | null> {
  return sql<number | null>`(SELECT min(earlier.id) FROM jobs AS earlier
    WHERE earlier.user_id = jobs.user_id AND earlier.repost_key = jobs.repost_key AND earlier.id < jobs.id)`
}

function withoutLegalForm(company: string): string {
  return company.replace(LEGAL_FORM, '').replace(LEGAL_FORM, '').replace(CHINESE_LEGAL_FORM, '')
}

/** Only letters, digits and the signs of names like C++ and C#. */
function plain(text: string): string {
  return (text.toLowerCase().match(/[\p{L}\p{N}+#]+/gu) ?? []).join(' ')
}
