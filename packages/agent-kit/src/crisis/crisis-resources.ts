type Phrase = Readonly<Record<'zh' | 'en', string>>

/** A help line or a website for people in a crisis. */
export type CrisisResource = {
  /** ISO 3166-1; absent for a service that covers all countries. */
  readonly country?: string
  readonly name: Phrase
  /** A number to call, or an address to open. */
  readonly contact: string
  readonly note: Phrase
}

/**
 * 12356: the number of all of China's psychological help lines since 1 May 2025, at least 18 hours a day, by the
 * National Health Commission's notice of 25 December 2024. 18111: Hong Kong's Health Bureau, since 27 December
 * 2023. 1925: Taiwan's Ministry of Health and Welfare. 988: the lifeline of the United States, calls, texts and
 * chat at any hour, 988lifeline.org. findahelpline.com lists lines of other countries.
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

/** One paragraph of comfort, with the most important help lines. */
export const crisisText: Phrase = {
  zh: '看到你说起这些，我很在意。如果此刻很难熬，请找一位你信任的人陪着你，也可以拨打 12356（全国统一心理援助热线），在香港拨 18111，在台湾拨 1925，在美国拨 988；其他国家和地区的热线，可在 findahelpline.com 找到。若有紧急危险，请马上拨打 120 或 110，在其他地方请拨当地的急救电话。你不必一个人扛。',
  en: 'What you wrote matters to me. If right now is hard to bear, please reach out to someone you trust, or call a line: 988 in the US, 12356 in mainland China, 18111 in Hong Kong, 1925 in Taiwan; findahelpline.com lists others. If there is immediate danger, please call 911, 112 or your local emergency number now. You do not have to carry this alone.',
}
