import type { BoardPosting } from '../boards/boards.ts'
import type { Words } from '../words/search-words.ts'
import type { Filter } from './source.ts'

type Facts = Pick<BoardPosting, 'title' | 'location' | 'workplace'>

/** Whether a posting is what a source is to bring. */
export type Passes = (posting: Facts) => boolean

/**
 * Makes the test of a filter. Words are compared as the search compares them: in either language, and in all their
 * forms.
 */
export function passing(words: Words, { keywords = '', location = '', remote }: Filter): Passes {
  const titles = alternatives(words, keywords, /[,，;；、|]/)
  // What follows a comma only says where the place lies.
  const places = alternatives(words, location, /[;；、|]/, (place) => place.split(/[,，]/)[0] ?? '')
  return (posting) => {
    if (remote !== undefined && remote !== (posting.workplace === 'remote')) return false
    return holdsAny(words, posting.title, titles) && holdsAny(words, posting.location, places)
  }
}

/** Each alternative as the phrases that all must be there, each in any of its spellings. */
type Alternatives = readonly (readonly (readonly string[])[])[]

function alternatives(
  words: Words,
  text: string,
  between: RegExp,
  main: (part: string) => string = (part) => part,
): Alternatives {
  return text
    .split(between)
    .map((part) =>
      words.terms(main(part)).map(({ phrases }) => phrases.map((phrase) => phrase.replaceAll('"', ''))),
    )
    .filter((terms) => terms.length > 0)
}

function holdsAny(words: Words, text: string, wishes: Alternatives): boolean {
  if (wishes.length === 0) return true
  const index = ` ${words.index(text)} `
  return wishes.some((terms) =>
    terms.every((spellings) => spellings.some((phrase) => index.includes(` ${phrase} `))),
  )
}
