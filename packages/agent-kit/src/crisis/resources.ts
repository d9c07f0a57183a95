type Phrase = Readonly<Record<'zh' | 'en', string>>

/** Somebody to turn to, wherever the server stands. */
export type CrisisResource = {
  /** ISO 3166-1; none for one that knows of all countries. */
  readonly country?: string
  readonly name: Phrase
  /** A number to call, or an address to open. */
  readonly contact: string
  readonly note: Phrase
}

/**
 * 12356: the number of all of China's psychological help lines since 1 May 2025, at least 18 hours a day, by the National Health
 * Commission's notice of 25 December 2024. 18111: Hong Kong's Health Bureau, since 27 December 2023. 1925: Taiwan's Ministry of Health and
 * Welfare. 988: the lifeline of the United States, calls, texts and chat at any hour, 988lifeline.org.
 * findahelpline.com lists lines of other countries.
 */
export const crisisResources: readonly CrisisResource[] = [
  {
    country: 'CN',
    name: { zh: '全国统一心理援助热线', en: 'China’s psychological help line' },
    contact: '12356',
    note: { zh: '可匿名拨打', en: 'calls may be anonymous' },
  },
  {
    country: 'HK',
    name: { zh: '香港“情绪通”精神健康支援热线', en: 'Hong Kong’s mental health support hotline' },
    contact: '18111',
    note: { zh: '全天', en: 'at any hour' },
  },
  {
    country: 'TW',
    name: { zh: '台湾“安心专线”', en: 'Taiwan’s 1925 line' },
    contact: '1925',
    note: { zh: '全天，免费', en: 'free, at any hour' },
  },
  {
    country: 'US',
    name: { zh: '美国 988 自杀与危机生命线', en: '988 Suicide & Crisis Lifeline (US)' },
    contact: '988',
    note: { zh: '全天，可打电话或发短信', en: 'call or text, at any hour' },
  },
  {
    name: { zh: '其他国家和地区的热线', en: 'Lines in other countries' },
    contact: 'https://findahelpline.com',
    note: { zh: '按所在地查找', en: 'find one where you are' },
  },
]

/** Words of comfort and whom to turn to, as one paragraph. */
export const crisisWords: Phrase = {
  zh: '看到你说起这些，我很在意。如果此刻很难熬，请找一位你信任的人陪着你，也可以拨打 12356（全国统一心理援助热线），在香港拨 18111，在台湾拨 1925，在美国拨 988；其他国家和地区的热线，可在 findahelpline.com 找到。若有紧急危险，请马上拨打 120 或 110，在其他地方请拨当地的急救电话。你不必一个人扛。',
  en: 'What you wrote matters to me. If right now is hard to bear, please reach out to someone you trust, or call a line: 988 in the US, 12356 in mainland China, 18111 in Hong Kong, 1925 in Taiwan; findahelpline.com lists others. If there is immediate danger, please call 911, 112 or your local emergency number now. You do not have to carry this alone.',
}

/** Turns of speech that only look like it: 想死你了 is "I miss you so". They are taken out before anything is looked for. */
const HARMLESS: readonly RegExp[] = [
  /想死(?:你|您|他|她|大家|妈妈?|爸爸?|爷爷|奶奶|老家|家)|(?:笑|累|困|忙|饿|热|冷|气|烦|急|羡慕|开心|高兴|好吃|可爱)(?:[得到]?要?|[得到]想)死|自杀式(?:营销|降价)/gu,
  /(?:公司|店|生意|项目|餐厅|饭馆|工厂|企业|团队|市场)[^，。！？,.!?]{0,8}(?:撑|撐|熬|扛)不下去/gu,
  /\b(?:kill(?:ing|ed)? (?:it|time)|to die for|suicide (?:squad|doors?))\b/giu,
]

const SIGNS: readonly RegExp[] = [
  /自杀|自殺|自残|自殘|自伤|自傷|自尽|自盡|寻短见|尋短見|轻生|輕生|割腕|跳楼|跳樓|上吊|遗书|遺書/u,
  /不想活|不想再活|活不下去|活[着著][没沒](?:有)?(?:什么|什麼)?(?:意思|意义|意義)|活[着著][好太真很]累|活够了|活夠了|生无可恋|生無可戀|不想再?醒(?:过|過)?[来來]/u,
  /想(?:要)?死|想去死|寻死|求死|死了算了|死了更好|死了就好|一死了之|一了百了|不如死/u,
  /(?:结束|結束|了结|了結|放弃|放棄)(?:自己的|我的|自己|这条|我这条)?(?:生命|性命|人生)|(?:从|從)(?:这个|這個)?世界(?:上)?消失|(?:离开|離開)(?:这个|這個)世界|伤害自己|傷害自己|弄伤自己/u,
  /(?:撑|撐|熬|扛)不下去|想(?:要|就这么|就这样|直接|彻底|永远)*消失(?!几|两|一[天阵会段下周]|在人群)|[没沒](?:了|有)?我,?[^，。！？,.!?]{0,8}(?:更好|就好了|会好|更轻松|更輕鬆|更幸福|更开心)/u,
  /\bsuicid(?:e|al)\b|\bself[- ]?harm(?:ing|ed)?\b|\b(?:unalive|kms)\b/iu,
  /\b(?:kill|hurt|harm|cut|end)(?:ing)? (?:my ?self|it all)\b|\b(?:end|ending|take|taking) my (?:own )?life\b/iu,
  /\b(?:want|wanna|wish|going|ready|rather|like) (?:to )?(?:die|be dead|disappear forever)\b|\bwish i (?:was|were) (?:dead|never born)\b/iu,
  /\b(?:better off (?:dead|without me)|no reason to (?:live|go on)|(?:can[’']?t|cannot|don[’']?t want to) (?:go on living|live any ?more|be alive|live like this)|(?:don[’']?t|do not) want to (?:be here any ?more|wake up(?! (?:early|late|at|before|so)))|tired of (?:living|being alive))\b/iu,
]

/** Whether somebody's words show signs of harm to themselves. It errs on the side of asking: what comes of it is a kind line and a number. */
export function showsCrisis(words: string): boolean {
  const left = HARMLESS.reduce((rest, turn) => rest.replaceAll(turn, ' '), words.normalize('NFKC'))
  return SIGNS.some((sign) => sign.test(left))
}
