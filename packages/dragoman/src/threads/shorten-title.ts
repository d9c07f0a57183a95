/** A character of a script without spaces says as much as so many letters. */
const WIDE_WEIGHT = 4
const WIDE =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{Extended_Pictographic}\u3000-\u303f\uff00-\uffef]/u

/**
 * The beginning of a text, of at most `length` letters; a Chinese character counts as four. It ends with a whole word.
 */
export function shortenTitle(text: string, length: number): string {
  const [...characters] = text
  let room = length
  const end = characters.findIndex((character) => {
    room -= WIDE.test(character) ? WIDE_WEIGHT : 1
    return room < 0
  })
  if (end === -1) return text
  const start = characters.slice(0, end).join('')
  const isWithinWord = [characters[end - 1], characters[end]].every(
    (each) => each !== undefined && isLetter(each),
  )
  const lastSpace = start.lastIndexOf(' ')
  // A word that fills the title alone is cut.
  return (isWithinWord && lastSpace > 0 ? start.slice(0, lastSpace) : start).trimEnd()
}

function isLetter(character: string): boolean {
  return /[\p{L}\p{M}\p{N}]/u.test(character) && !WIDE.test(character)
}
