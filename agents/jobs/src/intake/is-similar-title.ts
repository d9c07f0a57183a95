import { normalForm } from 'dragoman/events'
/** Whether two titles may be of one posting: they share half of the words, or Chinese bigrams, of the shorter one. */
export function isSimilarTitle(one: string, other: string): boolean {
  const [fewer = new Set<string>(), more = new Set<string>()] = [pieces(one), pieces(other)].toSorted(
    (a, b) => a.size - b.size,
  )
  const common = [...fewer].filter((piece) => more.has(piece)).length
  return fewer.size > 0 && common * 2 >= fewer.size
}

function pieces(title: string): ReadonlySet<string> {
  const words =
    normalForm(title, 'NFKC')
      .toLowerCase()
      .match(/\p{Script=Han}+|[\p{L}\p{N}+#]+/gu) ?? []
  return new Set(
    words.flatMap((word) => (/\p{Script=Han}/u.test(word) && word.length > 2 ? pairs(word) : [word])),
  )
}

function pairs(word: string): readonly string[] {
  return Array.from({ length: word.length - 1 }, (_, at) => word.slice(at, at + 2))
}
