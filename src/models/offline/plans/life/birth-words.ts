import type { Asked, Deed } from './deed.ts'

const MONTH =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\.?'
const YEAR = '(?:18|19|20)\\d\\d'
const DAY = '\\d{1,2}(?:st|nd|rd|th)?'

/** Those of the lunar calendar come first: they have a year of four digits, too. */
const dates: readonly RegExp[] = [
  /(?:农历|阴历|旧历)\s*(?:(?:18|19|20)\d\d|[〇零一二三四五六七八九]{4})\s*年\s*闰?[正一二三四五六七八九十冬腊\d]{1,3}月\s*(?:初?\d{1,2}|(?:初|廿|卅|十|二十|三十)?[一二三四五六七八九十]{1,2})[日号]?/u,
  new RegExp(`(?<!\\d)${YEAR}\\s*年\\s*\\d{1,2}\\s*月\\s*\\d{1,2}\\s*[日号]?`, 'u'),
  new RegExp(`(?<!\\d)${YEAR}([-/.])\\d{1,2}\\1\\d{1,2}(?!\\d)`, 'u'),
  new RegExp(`\\b${DAY}\\s+(?:of\\s+)?${MONTH},?\\s+${YEAR}\\b`, 'iu'),
  new RegExp(`\\b${MONTH}\\s+${DAY},?\\s+${YEAR}\\b`, 'iu'),
]

const PERIOD = '(?:凌晨|清晨|早上|早晨|上午|中午|下午|傍晚|晚上|夜里|夜晚|半夜|深夜)?'
const NUMBER = '(?:\\d{1,2}|十[一二]?|[零一二三四五六七八九两])'
const times: readonly RegExp[] = [
  new RegExp(`${PERIOD}\\s*\\d{1,2}\\s*[:：]\\s*\\d\\d(?::\\d\\d)?\\s*(?:[ap]\\.?m\\b\\.?)?`, 'iu'),
  /\b\d{1,2}\s*[ap]\.?m\b\.?/iu,
  new RegExp(`${PERIOD}\\s*${NUMBER}\\s*[点點时時](?!辰)\\s*(?:\\d{1,2}\\s*分?|半|一刻|三刻|整|钟)?`, 'u'),
  /[子丑寅卯辰巳午未申酉戌亥][时時]/u,
]

const female = /女|\b(?:female|woman|girl|lady)\b/iu
const male = /男|\b(?:male|man|boy|guy)\b/iu
const about = /出生|生于|生日|八字|命盘|四柱|排盘|\bborn\b|\bbirth|\bchart\b|\bba ?zi\b/iu

/** Somebody else's birth is nobody's profile. */
const ofAnother =
  /[他她它]|朋友|[男女]友|对象|老[公婆]|丈夫|妻子|爱人|爸|妈|父亲|母亲|哥|姐|弟|妹|儿子|女儿|孩子|宝宝|爷爷|奶奶|外公|外婆|老板|同事|同学|合盘|\b(?:he|she|they|his|hers?|him|their|(?:my|our|a) (?:(?:boy|girl)?friend|partner|husband|wife|mother|mum|mom|father|dad|brother|sister|son|daughter|child|baby|boss|colleague|cat|dog))\b/iu

/** Words round a birth that name no place. */
const NO_PLACE =
  /女朋友|男朋友|女友|男友|朋友|合不合|合盘|年份|月份|日期|我是|我的|我|他|她|本人|出生于|出生在|出生地点?|出生|生于|生在|生日|生的|公历|阳历|新历|国历|性别|时间|地点|八字|命盘|四柱|排盘|帮忙|帮|请|给|算|看看|看|排|一下|分析|是|在|的|于|生|人|男性?|女性?|先生|女士|左右|大概|[，,。;；：:、\s]+/gu

/** Birth data that somebody typed. Without a date there are none; where the gender is not said it has to be asked for. */
export function birthDeed({ words, lacksBirth = false }: Asked): Deed | undefined {
  const date = saidIn(words, dates)
  if (date === undefined || !(about.test(words) || female.test(words) || male.test(words))) return undefined
  const rest = words.replace(date, ' ')
  const time = saidIn(rest, times)
  const gender = female.test(words) ? 'female' : male.test(words) ? 'male' : undefined
  if (gender === undefined) {
    return {
      tool: 'request_info',
      input: { info_type: 'birth' },
      thought: {
        en: 'For a chart I also need to know the gender: I will show the form.',
        zh: '排盘还需要知道性别，我来打开表单。',
      },
    }
  }
  const place = placeIn(time === undefined ? rest : rest.replace(time, ' '))
  return {
    tool: 'calculate_bazi',
    input: {
      birth_date: date,
      ...(time !== undefined && { birth_time: time }),
      gender,
      ...(place !== undefined && { birth_location: place }),
      ...(lacksBirth && !ofAnother.test(words) && { save: true }),
    },
    thought: {
      en: 'The user told when they were born; I will work the chart out.',
      zh: '用户说了出生时间，我来排盘。',
    },
  }
}

/** As it was said: which day, or which hour, it is, the tool knows, and asks where it may be two. */
function saidIn(words: string, forms: readonly RegExp[]): string | undefined {
  return forms.flatMap((form) => form.exec(words)?.[0].trim() ?? [])[0]
}

function placeIn(words: string): string | undefined {
  const named = /\b(?:in|at)\s+(?<place>\p{Lu}[\p{L}'’.-]*(?:[ ,]+\p{Lu}[\p{L}'’.-]*){0,3})/u.exec(words)
    ?.groups?.['place']
  if (named !== undefined) return named.replace(/[,.]+$/, '')
  const parts = words.replaceAll(NO_PLACE, ' ').split(' ')
  return parts.find((part) => /^\p{Script=Han}{2,12}$/u.test(part))
}
