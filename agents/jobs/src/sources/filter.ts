import type { WordPhrase } from 'dragoman/database'
import type { BoardPosting } from '../boards/boards.ts'
import type { Words } from '../words/search-words.ts'
import type { Filter } from './source.ts'

type Facts = Pick<BoardPosting, 'title' | 'location' | 'workplace'>

/** Whether a posting passes a filter. Words match as in the search: in both languages and in all their forms. */
export function createFilter(
  words: Words,
  { keywords = '', location = '', remote }: Filter,
): (posting: Facts) => boolean {
  const hasTitle = wordFilter(words, keywords.split(/[,，;；、|]/))
  // The text after a comma only says where the place is.
  const places = location.split(/[;；、|]/).map((place) => place.split(/[,，]/)[0] ?? '')
  const hasPlace = wordFilter(words, places)
  return (posting) =>
    (remote === undefined || remote === (posting.workplace === 'remote')) &&
    hasTitle(posting.title) &&
    hasPlace(posting.location)
}

/** Whether a text has all words of one of the alternatives. Without any, each text passes. */
function wordFilter(words: Words, alternatives: readonly string[]): (text: string) => boolean {
  const wishes = alternatives.map((text) => words.terms(text)).filter((terms) => terms.length > 0)
  return (text) => {
    const index = ` ${words.index(text)} `
    const has = (phrase: WordPhrase): boolean => index.includes(` ${phrase.words.join(' ')} `)
    return wishes.length === 0 || wishes.some((terms) => terms.every(({ phrases }) => phrases.some(has)))
  }
}
