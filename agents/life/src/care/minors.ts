import { normalForm } from 'dragoman/events'
import { ServiceError } from 'dragoman/errors'
import type { Birth } from '../birth/birth.ts'
import texts from './care-texts.json' with { type: 'json' }

const ADULT = 18

/** Whether a person is under 18. A lunar date lies up to two months before the solar one. */
export function isMinor({ date }: Pick<Birth, 'date'>, now: Date): boolean {
  const { calendar, year, month, day } = date
  const born = Date.UTC(year, month - 1, day)
  const grown = new Date(born)
  grown.setUTCFullYear(year + ADULT)
  if (calendar === 'lunar') grown.setUTCMonth(grown.getUTCMonth() + 2)
  return now.getTime() < grown.getTime()
}

const DIGITS = '零一二三四五六七八九'
const TEENS = ['ten', 'eleven', 'twelve', 'thirteen', 'fourteen', 'fifteen', 'sixteen', 'seventeen']

const AGES: readonly RegExp[] = [
  new RegExp(
    String.raw`(?:我|本人)(?:今年|现在|現在|才|刚满?|剛滿?|只有|还|還|是|已经|已經|都|快|，|,|\s)*` +
      String.raw`(?<age>\d{1,2}|[一二三四五六七八九]?十[一二三四五六七八九]?|[五六七八九])(?:周)?[岁歲]` +
      '(?!(?:的?(?:时|時)|那年|开始|開始|就|以后|以後|之后|之後|起|生日|的))',
    'u',
  ),
  new RegExp(
    String.raw`\b(?:i am|im|i just turned|ive just turned)(?: only| just| still| a| now)* ` +
      String.raw`(?<age>\d{1,2}|${TEENS.join('|')})\b` +
      String.raw`(?!\s*(?:%|percent|min|hour|day|week|month|km|mile|kg|cm|lb|pound|dollar|st\b|nd\b|rd\b|th\b` +
      '|years? (?:in|into|older|younger|married|sober)))',
    'iu',
  ),
  /\b(?<age>\d{1,2})[ -]?(?:years?[ -]old|yo|y\/o) (?:girl|boy|student|teen)\b/iu,
]
const SAYS_SO: readonly RegExp[] = [
  new RegExp(
    String.raw`我(?:还|還|是|现在|現在|，|,|\s)*(?:个|個|一个|一個|名)?` +
      '(?:未成年|小学生|小學生|初中生|国中生|國中生|中学生|中學生|高中生|[上读讀念](?:小学|小學|初[一二三中]|高[一二]))',
    'u',
  ),
  /\bi(?: a|')?m (?:a |an |in )?(?:minor|underage|elementary school|junior high)\b/iu,
  /\bi(?: a|')?m (?:a |an |in )?(?:middle ?school(?:er)?|high ?schooler)\b/iu,
]

/** The birth year that a text names. Texts about a child do not count. */
const BIRTH_YEARS: readonly RegExp[] = [
  /(?<year>20\d\d)(?:年(?:\d{1,2}月(?:\d{1,2}[日号號]?)?)?|[-/.]\d{1,2}[-/.]\d{1,2})[^，。,]{0,10}生/u,
  /生(?:于|於|在|日)?[^，。,\d]{0,4}(?<year>20\d\d)/u,
  /\bborn\b.{0,20}\b(?<year>20\d\d)\b/iu,
]
const OF_CHILD = /女儿|女兒|儿子|兒子|孩子|宝宝|寶寶|闺女|[他她]|\b(?:daughter|son|child|kid|baby|he|she)\b/iu

/** Whether a text says that its author is under 18. */
export function saysMinor(words: string, now: Date): boolean {
  const plain = normalForm(words, 'NFKC').replaceAll(/[’']/gu, '')
  if (SAYS_SO.some((pattern) => pattern.test(plain))) return true
  const [year] = BIRTH_YEARS.flatMap((pattern) => pattern.exec(plain)?.groups?.['year'] ?? [])
  if (year !== undefined && !OF_CHILD.test(plain) && now.getUTCFullYear() - Number(year) < ADULT) return true
  return AGES.some((pattern) => {
    const age = numberOf(pattern.exec(plain)?.groups?.['age'] ?? '')
    return age >= 5 && age < ADULT
  })
}

function numberOf(words: string): number {
  if (/^\d+$/.test(words)) return Number(words)
  const teen = TEENS.indexOf(words.toLowerCase())
  if (teen >= 0) return 10 + teen
  const [tens = '', ones = ''] = words.includes('十') ? words.split('十') : ['零', words]
  const digit = (sign: string): number => Math.max(0, DIGITS.indexOf(sign))
  return (tens === '' ? 1 : digit(tens)) * 10 + (ones === '' ? 0 : digit(ones))
}

const LOVE: readonly RegExp[] = [
  /恋爱|戀愛|爱情|愛情|桃花|姻缘|姻緣|感情运|感情運|正缘|正緣|脱单|脫單|[男女](?:朋友|友)|[对對]象|婚|早恋/u,
  /合盘|合盤|八字合|合不合|般配|配不配|配吗|配嗎|暗恋|暗戀|复合|復合/u,
  /\b(?:love|romance|romantic|crush|boyfriend|girlfriend|marry|marriage|married)\b/iu,
  /\b(?:soul ?mates?|compatib\w+|relationship)\b/iu,
]
const READING: readonly RegExp[] = [
  /八字|命|运|運|算|占|盘|盤|测|測|看看|看一下|想看|合不合|配不配|配吗|配嗎|会不会|會不會|什么时候|什麼時候|缘|緣/u,
  /\b(?:readings?|charts?|fortunes?|bazi|ba zi|horoscopes?|predict\w*|compatib\w+)\b/iu,
  /\b(?:luck|pillars|destin\w+|when will|will i|show me)\b/iu,
]

/** Whether a text asks for a reading of love, marriage or a match. Talking about love is no reading. */
export function asksForLoveReading(words: string): boolean {
  return LOVE.some((pattern) => pattern.test(words)) && READING.some((pattern) => pattern.test(words))
}

/** Refuses to compare two charts if one of the two people is under 18. @throws ServiceError `denied` */
export function refuseMinors(
  { mine, theirs }: { readonly mine: Birth; readonly theirs: Birth },
  now: Date,
): void {
  const refused = isMinor(mine, now)
    ? texts.noLoveReading
    : isMinor(theirs, now)
      ? texts.otherIsMinor
      : undefined
  if (refused) throw new ServiceError('denied', refused.en, { translations: { zh: refused.zh } })
}
