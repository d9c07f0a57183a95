/** A posting names no more places than this. */
const MAX_PLACES = 20

const BETWEEN = /(?:(?<!\s)\s+)?(?:[;；、|\n•]|\s\/\s|\sor\s)\s*/iu
/** `北京/上海`, but not `Remote/Hybrid`, of which neither is a place. */
const SLASH = /(?<=\p{L}{2})(?<=\p{L})\s*\/\s*(?=\p{L}{2})/u
/** A comma parts cities only in Chinese: elsewhere it says where a city lies. */
const CHINESE_LIST = /^[\p{Script=Han}]{2,5}(?:[,，]\s?[\p{Script=Han}]{2,5})+$/u
const ENCLOSING = /[,，]\s?(?:中国|\p{Script=Han}+[省区县])/u

/** The places in a text that names one or several: `Berlin; Remote (EU)`, `北京/上海`, `London or Paris`. */
export function placesIn(text: string): readonly string[] {
  const found = text
    .split(BETWEEN)
    .flatMap((part) => part.split(SLASH))
    .flatMap((part) =>
      CHINESE_LIST.test(part.trim()) && !ENCLOSING.test(part) ? part.split(/[,，]/u) : [part],
    )
    .map((part) => part.replaceAll(/\s+/gu, ' ').trim())
    .filter((part) => /[\p{L}\p{N}]/u.test(part))
  const names = found.map((place) => place.toLowerCase())
  return found.filter((_place, at) => names.indexOf(names[at] ?? '') === at).slice(0, MAX_PLACES)
}
