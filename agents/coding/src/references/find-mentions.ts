/** A path that a message may mean, in the readings that come into question: the likeliest first. */
export type Mention = readonly string[]

/** What a path does not end with, though it stands behind it: the sentence goes on, or is over. */
const TRAILING_PUNCTUATION =
  /(?<![.,;:!?)\]}>'"`*_。，、；：！？）】》」』”’…])[.,;:!?)\]}>'"`*_。，、；：！？）】》」』”’…]+$/u
const LINE_SUFFIX = /:\d+(?:-\d+)?$/

/** Finds `@src/a.ts`, `@"with space.md"` and `@目录/文件.md`, but no e-mail address. The files may not exist. */
export function findMentions(text: string): readonly Mention[] {
  const found = text.matchAll(
    /(?<![\w.%+@/-])@(?:"([^"\n]{1,500})"|([^\s"<>|*?，。；！？、（）【】《》「」『』“”]{1,500}))/gu,
  )
  return Array.from(found, ([, quoted, plain = '']) => (quoted === undefined ? readings(plain) : [quoted]))
}

/** Chinese words follow without a space. */
function readings(plain: string): Mention {
  const trimmed = plain.replace(TRAILING_PUNCTUATION, '')
  const named = /^.*?\.[A-Za-z0-9]{1,10}(?=\p{Script=Han})/u.exec(plain)?.[0]
  const path = /^[\x21-\x7e]+(?=\p{Script=Han})/u.exec(plain)?.[0]
  const all = [
    plain,
    trimmed,
    trimmed.replace(LINE_SUFFIX, ''),
    named,
    path,
    path?.replace(TRAILING_PUNCTUATION, ''),
  ]
  return [...new Set(all)].filter((each): each is string => each !== undefined && each !== '')
}
