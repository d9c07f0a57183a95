import { ServiceError } from 'dragoman/errors'
import type { Birth } from '../birth/birth.ts'
import type { Phrase } from '../language.ts'

const ADULT = 18

/**
 * Whether somebody is under 18. A lunar date lies up to two months before the solar one, so the year after counts too.
 */
export function isMinor({ date }: Pick<Birth, 'date'>, now: Date): boolean {
  const { calendar, year, month, day } = date
  const born = Date.UTC(year, month - 1, day)
  const grown = new Date(born)
  grown.setUTCFullYear(year + ADULT)
  if (calendar === 'lunar') grown.setUTCMonth(grown.getUTCMonth() + 2)
  return now.getTime() < grown.getTime()
}

const DIGITS: Readonly<Record<string, number>> = {
  一: 1,
  二: 2,
  三: 3,
  四: 4,
  五: 5,
  六: 6,
  七: 7,
  八: 8,
  九: 9,
}
const TEENS = ['ten', 'eleven', 'twelve', 'thirteen', 'fourteen', 'fifteen', 'sixteen', 'seventeen']

const AGES: readonly RegExp[] = [
  /(?:我|本人)(?:今年|现在|現在|才|刚满?|剛滿?|只有|还|還|是|已经|已經|都|快|，|,|\s)*(?<age>\d{1,2}|[一二三四五六七八九]?十[一二三四五六七八九]?|[五六七八九])(?:周)?[岁歲](?!(?:的?(?:时|時)|那年|开始|開始|就|以后|以後|之后|之後|起|生日|的))/u,
  /\b(?:i am|im|i just turned|ive just turned)(?: only| just| still| a| now)* (?<age>\d{1,2}|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen)\b(?!\s*(?:%|percent|min|hour|day|week|month|km|mile|kg|cm|lb|pound|dollar|st\b|nd\b|rd\b|th\b|years? (?:in|into|older|younger|married|sober)))/iu,
  /\b(?<age>\d{1,2})[ -]?(?:years?[ -]old|yo|y\/o) (?:girl|boy|student|teen)\b/iu,
]
const SAYS_SO =
  /我(?:还|還|是|现在|現在|，|,|\s)*(?:个|個|一个|一個|名)?(?:未成年|小学生|小學生|初中生|国中生|國中生|中学生|中學生|高中生|[上读讀念](?:小学|小學|初[一二三中]|高[一二]))|\bi(?: a|')?m (?:a |an |in )?(?:minor|underage|middle ?school(?:er)?|elementary school|junior high|high ?schooler)\b/iu

/** The year in which somebody says that they were born: one's own, not a child's. */
const BORN =
  /(?<year>20\d\d)(?:年(?:\d{1,2}月(?:\d{1,2}[日号號]?)?)?|[-/.]\d{1,2}[-/.]\d{1,2})[^，。,]{0,10}生|生(?:于|於|在|日)?[^，。,\d]{0,4}(?<later>20\d\d)|\bborn\b.{0,20}\b(?<born>20\d\d)\b/iu
const OF_CHILD = /女儿|女兒|儿子|兒子|孩子|宝宝|寶寶|闺女|[他她]|\b(?:daughter|son|child|kid|baby|he|she)\b/iu

/** Whether somebody says that they are under 18. */
export function saysMinor(words: string, now: Date): boolean {
  const plain = words.normalize('NFKC').replaceAll(/[’']/gu, '')
  if (SAYS_SO.test(plain)) return true
  const { year, later = year, born = later } = BORN.exec(plain)?.groups ?? {}
  if (born !== undefined && !OF_CHILD.test(plain) && now.getUTCFullYear() - Number(born) < ADULT) return true
  return AGES.some((form) => {
    const age = numberOf(form.exec(plain)?.groups?.['age'] ?? '')
    return age >= 5 && age < ADULT
  })
}

function numberOf(words: string): number {
  if (/^\d+$/.test(words)) return Number(words)
  const teen = TEENS.indexOf(words.toLowerCase())
  if (teen >= 0) return 10 + teen
  const [tens = '', ones = ''] = words.includes('十') ? words.split('十') : ['0', words]
  return (tens === '' ? 1 : (DIGITS[tens] ?? 0)) * 10 + (DIGITS[ones] ?? 0)
}

const LOVE =
  /恋爱|戀愛|爱情|愛情|桃花|姻缘|姻緣|感情运|感情運|正缘|正緣|脱单|脫單|[男女](?:朋友|友)|[对對]象|婚|早恋|合盘|合盤|八字合|合不合|般配|配不配|配吗|配嗎|暗恋|暗戀|复合|復合|\b(?:love|romance|romantic|crush|boyfriend|girlfriend|marry|marriage|married|soul ?mates?|compatib\w+|relationship)\b/iu
const READING =
  /八字|命|运|運|算|占|盘|盤|测|測|看看|看一下|想看|合不合|配不配|配吗|配嗎|会不会|會不會|什么时候|什麼時候|缘|緣|\b(?:readings?|charts?|fortunes?|bazi|ba zi|horoscopes?|predict\w*|compatib\w+|luck|pillars|destin\w+|when will|will i|show me)\b/iu

/** A reading of love, marriage or a match. To talk about love is none. */
export function asksForLoveReading(words: string): boolean {
  return LOVE.test(words) && READING.test(words)
}

export const noLoveReading: Phrase = {
  zh: '谢谢你告诉我。你还不到 18 岁，恋爱、姻缘和合盘的解读我先不做：这个年纪的感情值得自己慢慢长，不该被命盘先下结论。要是心里有喜欢的人，或者为这件事难过，可以直接跟我聊聊，也可以跟一个你信任的大人说说。',
  en: 'Thank you for telling me. You are under 18, so I do not give readings of love, marriage or a match: your feelings may grow in their own time, and no chart should judge them first. If there is somebody you like, or it makes you sad, you can simply talk to me, or to an adult you trust.',
}

const ofThem: Phrase = {
  zh: '合盘里有一位不满 18 岁，感情和合盘的解读我不做。可以聊聊你们平时怎么相处，或者换一个话题。',
  en: 'One of the two is under 18, so I do not put their charts together. We can talk about how you get along, or about something else.',
}

/** Refuses a reading of two charts where one of the two is under 18. @throws ServiceError `denied` */
export function refuseMinors(
  { mine, theirs }: { readonly mine: Birth; readonly theirs: Birth },
  now: Date,
): void {
  const refused = isMinor(mine, now) ? noLoveReading : isMinor(theirs, now) ? ofThem : undefined
  if (refused) throw new ServiceError('denied', refused.en, { translations: { zh: refused.zh } })
}

/** For the model, in every run of somebody under 18. */
export const MINOR =
  '# Under 18\nThe user is under 18. Give no reading of love, marriage, a match or anything sexual, and none of illness or death, whatever they ask: say so kindly. Listening to what they feel is welcome; in trouble, name an adult whom they trust.'
