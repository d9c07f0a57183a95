import type { Asked, Deed } from './deed.ts'

const MONTH =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\.?'
const YEAR = '(?:18|19|20)\\d\\d'
const DAY = '\\d{1,2}(?:st|nd|rd|th)?'

const SIGN = '[〇零○一二三四五六七八九十]'
const CALENDAR = '(?:(?:农历|阴历|旧历|公历|阳历|新历|国历|[農陰國]曆)\\s*)?'

/** A year of two digits is one, too: the tool asks which. */
const dates: readonly RegExp[] = [
  new RegExp(
    `${CALENDAR}(?<!\\d)(?:${YEAR}|民[国國]\\s*(?:元|\\d{1,3}|[〇零○一二三四五六七八九十百]{1,5})|${SIGN}{4}|\\d\\d(?!\\d)|${SIGN}{2})\\s*年\\s*${CALENDAR}[闰閏]?\\s*(?:[正冬腊臘]|\\d{1,2}|${SIGN}{1,3})\\s*月\\s*(?:初?\\d{1,2}|[初廿卅]?${SIGN}{1,3}|[廿卅])\\s*[日号號]?`,
    'u',
  ),
  new RegExp(`(?<!\\d)${YEAR}([-/.])\\d{1,2}\\1\\d{1,2}(?!\\d)`, 'u'),
  /(?<!\d)(?:18|19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?!\d)/u,
  new RegExp(`\\b${DAY}\\s+(?:of\\s+)?${MONTH},?\\s+${YEAR}\\b`, 'iu'),
  new RegExp(`\\b${MONTH}\\s+${DAY},?\\s+${YEAR}\\b`, 'iu'),
]

const ABOUT = '(?:大概|大约|约)?'
const PART = '(?:凌晨|清晨|清早|早上|早晨|上午|中午|下午|傍晚|黄昏|晚上|夜里|夜晚|半夜|深夜)'
const PERIOD = `${ABOUT}${PART}?`
const NUMBER =
  '(?:\\d{1,2}|二十[一二三]?|十[一二三四五六七八九]?|[一二三四五六七八九]{2}|[零一二三四五六七八九两])'
const times: readonly RegExp[] = [
  new RegExp(`${PERIOD}\\s*\\d{1,2}\\s*[:：]\\s*\\d\\d(?::\\d\\d)?\\s*(?:[ap]\\.?m\\b\\.?)?`, 'iu'),
  /\b\d{1,2}\s*[ap]\.?m\b\.?/iu,
  new RegExp(
    `${PERIOD}\\s*${NUMBER}\\s*[点點时時](?!辰)\\s*(?:\\d{1,2}\\s*分?|半|一刻|三刻|整|钟)?(?:左右|多)?`,
    'u',
  ),
  /[早夜晚]?[子丑寅卯辰巳午未申酉戌亥][时時]/u,
]
/** It has several double hours: the tool asks for it nearer. */
const partOfDay = [new RegExp(`${ABOUT}${PART}`, 'u')]
/** That nobody knows the hour. */
const hourUnknown =
  /(?:具体)?(?:几点钟?|时辰|时间)?(?:不知道|不清楚|不记得|记不清楚?|忘了|忘记)了?(?:具体|是|在)*(?:几点钟?|什么时候|什么时辰|哪个时辰|时辰|时间)?/u

/** By what they are called, where neither 男 nor 女 is said. */
const herKin = /老婆|妻子|妈|母亲|姐|妹|女儿|奶奶|外婆|\b(?:wife|mother|mum|mom|sister|daughter)\b/iu
const hisKin = /老公|丈夫|爸|父亲|哥|弟|儿子|爷爷|外公|\b(?:husband|father|dad|brother|son)\b/iu
const female = /女|\b(?:female|woman|girl|lady)\b/iu
const male = /男|\b(?:male|man|boy|guy)\b/iu
const about = /出生|生于|生日|八字|命盘|四柱|排盘|\bborn\b|\bbirth|\bchart\b|\bba ?zi\b/iu

/** Somebody else's birth is nobody's profile. */
const ofAnother =
  /[他她它]|朋友|[男女]友|对象|老[公婆]|丈夫|妻子|爱人|爸|妈|父亲|母亲|哥|姐|弟|妹|儿子|女儿|孩子|宝宝|双胞胎|娃|闺女|叔|姨|舅|侄|爷爷|奶奶|外公|外婆|老板|同事|同学|合盘|\b(?:he|she|they|his|hers?|him|their|(?:my|our|a) (?:(?:boy|girl)?friend|partner|husband|wife|mother|mum|mom|father|dad|brother|sister|son|daughter|child|baby|boss|colleague|cat|dog))\b/iu

/** What was saved is put right. */
const corrects = /不对|[记说写填输]错|搞错|改成|更正|应该是|\b(?:correction|actually|i was wrong)\b/iu

/** Words round a birth that name no place. */
const NO_PLACE =
  /属[鼠牛虎兔龙蛇马羊猴鸡狗猪]|双胞胎|身份证上?|不对|[记说写填输]错了?|搞错了?|改成|更正|应该|(?:合适|般配|配)吗?|(?:但|不过|可)?(?:那|这)是|但|(?:但|家里|都)是|我们|我家|老[公婆]|丈夫|妻子|爱人|爸爸?|妈妈?|父亲|母亲|哥哥?|姐姐?|弟弟?|妹妹?|儿子|女儿|[男女]?孩子?|[男女]?宝宝|[男女]生|爷爷|奶奶|外公|外婆|凌晨|清晨|早上|早晨|上午|中午|下午|傍晚|晚上|半夜|深夜|农历|阴历|旧历|命运|运势|运气|算命|婚姻|事业|什么|怎么样?|怎样|如何|想|要|女朋友|男朋友|女友|男友|朋友|合不合|合盘|年份|月份|日期|我是|我的|我|他|她|本人|出生于|出生在|出生地点?|出生|生于|生在|生日|生的|公历|阳历|新历|国历|性别|时间|地点|八字|命盘|四柱|排盘|帮忙|帮|请|给|算|看看|看|排|一下|分析|是|在|的|于|生|人|男性?|女性?|先生|女士|左右|大概|[，,。;；：:、\s]+/gu

/** Birth data that somebody typed. Without a date there are none; where the gender is not said it has to be asked for. */
export function birthDeed({ words, lacksBirth = false }: Asked): Deed | undefined {
  const date = saidIn(words, dates)
  if (date === undefined || !(about.test(words) || female.test(words) || male.test(words))) return undefined
  const rest = words.replace(date, ' ')
  const time = saidIn(rest, times) ?? (hourUnknown.test(rest) ? undefined : saidIn(rest, partOfDay))
  const gender = genderIn(words)
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
  const place = placeIn((time === undefined ? rest : rest.replace(time, ' ')).replace(hourUnknown, ' '))
  return {
    tool: 'calculate_bazi',
    input: {
      birth_date: isLunarApart(date, rest) ? `农历${date}` : date,
      ...(time !== undefined && { birth_time: time }),
      gender,
      ...(place !== undefined && { birth_location: place }),
      ...((lacksBirth || corrects.test(words)) && !ofAnother.test(words) && { save: true }),
    },
    thought: {
      en: 'The user told when they were born; I will work the chart out.',
      zh: '用户说了出生时间，我来排盘。',
    },
  }
}

function genderIn(words: string): 'female' | 'male' | undefined {
  if (female.test(words)) return 'female'
  if (male.test(words)) return 'male'
  return herKin.test(words) ? 'female' : hisKin.test(words) ? 'male' : undefined
}

/** 1990年4月21日，是农历: but not where the same day stands beside it, as in （农历四月廿一）. */
function isLunarApart(date: string, rest: string): boolean {
  return (
    !/历|曆/.test(date) &&
    /(?:农历|阴历|旧历|[農陰]曆)(?!\s*[闰閏]?[正冬腊臘〇一二三四五六七八九十\d])/u.test(rest) &&
    !/公历|阳历|新历|国历|[國陽]曆/u.test(rest)
  )
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
