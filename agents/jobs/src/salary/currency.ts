import money from './money.json' with { type: 'json' }

/** A sum in its sentence. */
export type SumContext = { readonly before: string; readonly match: string; readonly after: string }

const CODES = new RegExp(`(?<![a-z])(${money.codes.join('|')})(?![a-z])`, 'i')
const SIGNS: ReadonlyMap<string, string> = new Map(Object.entries(money.signs))
const NAMES = Object.entries(money.names).map(([name, code]) => [new RegExp(name, 'i'), code] as const)

/** A code or name within this distance belongs to the sum. */
const MAX_DISTANCE = 12

/** The currency of a sum: by its code, else its name, else its sign. */
export function currencyIn({ before, match, after }: SumContext): string | null {
  const near = `${before.slice(-MAX_DISTANCE)}${match}${after.slice(0, MAX_DISTANCE)}`
  const code = CODES.exec(near)?.[1]?.toUpperCase()
  if (code !== undefined) return code === 'RMB' ? 'CNY' : code
  const name = NAMES.find(([pattern]) => pattern.test(near))?.[1]
  if (name !== undefined) return name
  const sign = /([a-z]{0,3})\s?([$£€₹¥])/i.exec(`${match}${after.slice(0, 2)}`)
  if (!sign) return null
  const [, country = '', plain = ''] = sign
  if (plain === '¥') return isYen(match) ? 'JPY' : 'CNY'
  return SIGNS.get(`${country.toLowerCase()}${plain}`) ?? SIGNS.get(plain) ?? null
}

/** Japan and China both write `¥`. Only pay in yen has seven figures. */
function isYen(match: string): boolean {
  return /\d[,. ]\d{3}[,. ]\d{3}|\d{7}|\dm/i.test(match)
}

/** `/月` and `年薪` mean yuan, unless another currency is named. */
const CHINESE_AFTER = /^\+?\s*(?:元\s*)?(?:(?:以上|起)\s*)?(?:[/每一个]*(?:月|年|天|日|小时)|元)/u
const CHINESE_BEFORE = /(?:薪|年收入|年包)[^\d]{0,8}$/u

/** Pay in `万`, by `/月` or `14薪`, or a bare `30-50K`, is in yuan. */
export function chineseCurrency(
  { low, high, unit }: { readonly low: number; readonly high: number; readonly unit: string },
  { before, match, after }: SumContext,
  months: number | null,
): string | null {
  if (months !== null || ['万', '千', 'w'].includes(unit)) return 'CNY'
  if (CHINESE_AFTER.test(after) || CHINESE_BEFORE.test(before)) return 'CNY'
  const boardForm = unit === 'k' && high > low && high <= 100e3 && /^\d{1,2}-\d{2,3}k$/i.test(match.trim())
  return boardForm && /^\W*$/u.test(before + after) ? 'CNY' : null
}
