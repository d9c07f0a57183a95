/** What stands before, in and behind the sums. */
type Around = { readonly before: string; readonly match: string; readonly after: string }

const CODES =
  /(?<![a-z])(USD|EUR|GBP|CNY|RMB|JPY|HKD|SGD|AUD|CAD|NZD|CHF|INR|TWD|KRW|SEK|NOK|DKK|PLN|BRL|MXN|ILS|CZK)(?![a-z])/i

const SIGNS: ReadonlyMap<string, string> = new Map([
  ['us$', 'USD'],
  ['hk$', 'HKD'],
  ['s$', 'SGD'],
  ['sg$', 'SGD'],
  ['a$', 'AUD'],
  ['au$', 'AUD'],
  ['c$', 'CAD'],
  ['ca$', 'CAD'],
  ['nz$', 'NZD'],
  ['nt$', 'TWD'],
  ['r$', 'BRL'],
  ['$', 'USD'],
  ['£', 'GBP'],
  ['€', 'EUR'],
  ['₹', 'INR'],
])

const NAMES: readonly (readonly [RegExp, string])[] = [
  [/人民币/, 'CNY'],
  [/美元|美金|刀/, 'USD'],
  [/欧元|\beuros?\b/i, 'EUR'],
  [/英镑/, 'GBP'],
  [/港币|港元/, 'HKD'],
  [/新币|新加坡元/, 'SGD'],
  [/台币/, 'TWD'],
  [/日元|円|\byen\b/i, 'JPY'],
  [/澳元|澳币/, 'AUD'],
  [/加元|加币/, 'CAD'],
]

/** So near to the sum that it is the sum's. */
const NEAR = 12

/** The currency that is named beside a sum: by its code, else its name, else its sign. */
export function currencyIn({ before, match, after }: Around): string | null {
  const near = `${before.slice(-NEAR)}${match}${after.slice(0, NEAR)}`
  const code = CODES.exec(near)?.[1]?.toUpperCase()
  if (code !== undefined) return code === 'RMB' ? 'CNY' : code
  const name = NAMES.find(([pattern]) => pattern.test(near))?.[1]
  if (name !== undefined) return name
  const sign = /([a-z]{0,3})\s?([$£€₹¥])/i.exec(`${match}${after.slice(0, 2)}`)
  if (!sign) return null
  const [, country = '', plain = ''] = sign
  if (plain === '¥') return yen(match) ? 'JPY' : 'CNY'
  return SIGNS.get(`${country.toLowerCase()}${plain}`) ?? SIGNS.get(plain) ?? null
}

/** Both countries write `¥`; only the one with the small money pays in seven figures. */
function yen(match: string): boolean {
  return /\d[,. ]\d{3}[,. ]\d{3}|\d{7}|\dm/i.test(match)
}

/** `/月` and `年薪` are said where one is paid in yuan, unless another money is named. */
const CHINESE_AFTER = /^\+?\s*元?\s*(?:以上|起)?\s*(?:[/每一个]*(?:月|年|天|日|小时)|元)/u
const CHINESE_BEFORE = /(?:薪|年收入|年包)[^\d]{0,8}$/u

/** Who says `万`, `/月` or `14薪`, or `30-50K` and nothing else, speaks of yuan. */
export function chineseCurrency(
  { low, high, unit }: { readonly low: number; readonly high: number; readonly unit: string },
  { before, match, after }: Around,
  months: number | null,
): string | null {
  if (months !== null || ['万', '千', 'w'].includes(unit)) return 'CNY'
  if (CHINESE_AFTER.test(after) || CHINESE_BEFORE.test(before)) return 'CNY'
  const boardForm = unit === 'k' && high > low && high <= 100e3 && /^\d{1,2}-\d{2,3}k$/i.test(match.trim())
  return boardForm && /^\W*$/u.test(before + after) ? 'CNY' : null
}
