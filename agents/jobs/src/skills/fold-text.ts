/** What looks for a skill is no part of an address: `github.com/ada` shows no Git. */
const ADDRESS = new RegExp(
  [
    String.raw`https?:\/\/[^\s<>()（），。；]{1,2000}`,
    String.raw`(?<![\w.+-])[\w.+-]{1,64}@[\w.-]{1,255}`,
    String.raw`\bwww\.[\w./-]{1,500}`,
    String.raw`\b[\w-]{1,63}\.(?:com|org|io|cn)\/[\w./-]{0,500}`,
  ].join('|'),
  'gi',
)

const MAY_BE_ADDRESS = /@|:\/\/|www\.|\.(?:com|org|io|cn)\//

/** Letters, digits and signs of names at full width, and the dashes and spaces that writing programs put in. */
const OTHER_SIGN = /[０-９Ａ-Ｚａ-ｚ＃＋．／＆－‐-―−\u00a0\u3000]/g

function plainSign(sign: string): string {
  if (sign === '\u00a0' || sign === '\u3000') return ' '
  return sign >= '！' ? String.fromCharCode(sign.charCodeAt(0) - 0xfee0) : '-'
}

/** A text in small letters and plain signs, without addresses. Each character keeps its place. */
export function foldText(text: string): string {
  const signs = text.replace(OTHER_SIGN, plainSign)
  const plain = MAY_BE_ADDRESS.test(signs)
    ? signs.replace(ADDRESS, (address) => ' '.repeat(address.length))
    : signs
  const small = plain.toLowerCase()
  return small.length === plain.length ? small : plain.replace(/\p{Lu}/gu, sameLength)
}

/** A few capitals have two characters as small letters. */
function sameLength(capital: string): string {
  const small = capital.toLowerCase()
  return small.length === capital.length ? small : capital
}
