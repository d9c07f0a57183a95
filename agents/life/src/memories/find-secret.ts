import { normalForm } from 'dragoman/events'
/** The kinds of secrets that are never stored. */
export const secretKinds = ['password', 'key', 'card', 'identity'] as const
export type SecretKind = (typeof secretKinds)[number]

/** “My password is …”, “密码：…”. The word alone is no secret. */
const PASSWORDS: readonly RegExp[] = [
  /\b(?:pass ?(?:word|code|phrase)|passwd|pwd)\b[^.!?\n]{0,40}?(?:\bis\b|\bwas\b|[:=])\s*\S/iu,
  /\b(?:pin(?: ?(?:code|number))?|cvv|cvc|one[- ]time code)\b[^.!?\n]{0,40}?(?:\bis\b|\bwas\b|[:=])\s*\S/iu,
  /(?:密码|口令|验证码|安全码)[^。！？\n]{0,20}?(?:是|为|叫|改成|设成|[:=])\s*\S/u,
  /(?:密码|口令|验证码|安全码)\s*[\x21-\x7e]{4,}/u,
]

/** Keys in the format of their issuer, and long strings that no language has. */
const KEYS: readonly RegExp[] = [
  /\b(?:sk|pk|rk)[-_][\w-]{16,}/i,
  /\bgh[opsur]_\w{20,}|\bgithub_pat_\w{20,}|\bglpat-[\w-]{16,}|\bhf_\w{20,}|\bnpm_\w{20,}/,
  /\bxox[abeprs]-[\w-]{10,}|\bAIza[\w-]{30,}|\b(?:AKIA|ASIA)[A-Z\d]{16}\b|\bLTAI\w{12,}/,
  /\beyJ[\w-]{8,400}\.[\w-]{8,}\.[\w-]*/,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----/,
  /\bbearer\s+[\w.~+/-]{16,}/i,
  /\b(?:api|access|secret|private|license)[ _-]?(?:key|token)\b[^.!?\n]{0,20}?(?:\bis\b|[:=])\s*\S/i,
  /\b(?:seed|recovery) ?(?:phrase|words)\b[^.!?\n]{0,20}?(?:\b(?:is|are)\b|[:=])\s*\S/i,
  /(?:密钥|私钥|令牌|助记词)[^。！？\n]{0,10}?(?:是|为|[:=])\s*\S/u,
  /\b(?=[a-z]*\d)(?=\d*[a-z])(?=(?:[a-z]*\d){4})[a-z\d]{32,}\b/i,
]

/** The separators of printed cards may be anywhere, and other separators between groups of four digits. */
const DIGITS = /(?<!\d)(?:\d(?:[ -]?\d){12,18}|(?:\d{4}[\s._/|·‐-―-]{1,3}){3}\d{1,7})(?!\d)/g
const CHINESE_ID =
  /(?<!\d)\d{6}[ -]?(?:18|19|20)\d{2}[ -]?(?:0[1-9]|1[0-2])[ -]?(?:0[1-9]|[12]\d|3[01])[ -]?\d{3}[\dX](?![\dX])/gi
/** https://www.ssa.gov/kc/SSAFactSheet--IssuingSSNs.pdf: no group is all zeros, none begins with 666 or 9. */
const AMERICAN_ID = /(?<![\d-])(?!000|666|9)\d{3}-(?!00)\d{2}-(?!0000)\d{4}(?![\d-])/
/** Numbers in other formats, if a word names them. */
const OTHER_IDS: readonly RegExp[] = [
  AMERICAN_ID,
  /\b(?:ssn|social security)\b\D{0,20}\d{3}[ -]?\d{2}[ -]?\d{4}(?!\d)/i,
  /(?:\bpassport\b|护照)[^\d\n]{0,20}?(?<![a-z\d])(?:[a-z]{1,2}\d{7,8}|\d{9})(?!\d)/i,
]

/** The kind of secret in a text: a password, a key, or the number of a card or an identity document. */
export function findSecret(text: string): SecretKind | undefined {
  const plain = normalForm(text, 'NFKC').replaceAll(/\p{Cf}/gu, '')
  if (plain.match(CHINESE_ID)?.some(isChineseId) || OTHER_IDS.some((id) => id.test(plain))) return 'identity'
  if (plain.match(DIGITS)?.some(isCard)) return 'card'
  if (KEYS.some((key) => key.test(plain))) return 'key'
  return PASSWORDS.some((pattern) => pattern.test(plain)) ? 'password' : undefined
}

/** ISO/IEC 7812: the first digits name the issuer, the last is the Luhn check digit. */
function isCard(match: string): boolean {
  const digits = match.replaceAll(/\D/g, '')
  if (!/^(?:[3-6]|2[2-7])/.test(digits) || /^(\d)\1+$/.test(digits)) return false
  const sum = Array.from(digits)
    .toReversed()
    .map((digit, at) => Number(digit) * (at % 2 === 0 ? 1 : 2))
    .reduce((all, value) => all + (value > 9 ? value - 9 : value), 0)
  return sum % 10 === 0
}

const ID_WEIGHTS = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2] as const

/** GB 11643-1999: the last character is a check of the 17 digits before it. */
function isChineseId(match: string): boolean {
  const id = match.replaceAll(/[ -]/g, '')
  const sum = ID_WEIGHTS.reduce<number>((all, weight, at) => all + weight * Number(id.charAt(at)), 0)
  return '10X98765432'.charAt(sum % 11) === id.charAt(17).toUpperCase()
}
