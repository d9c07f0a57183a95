/** In these languages help is offered. `zh-Hant` is Chinese in traditional characters. */
export const helpLanguages = ['zh', 'zh-Hant', 'en'] as const
export type HelpLanguage = (typeof helpLanguages)[number]

type Phrase = Readonly<Record<HelpLanguage, string>>

/** A help line: a number to call, or an address to open. */
export type HelpLine = { readonly contact: string; readonly name: Phrase }

export const countries = ['CN', 'HK', 'TW', 'SG', 'US', 'CA', 'GB', 'IE', 'AU', 'NZ', 'IN', 'EU'] as const
/** ISO 3166-1. `EU` is every country of the European Union without a row of its own. */
export type Country = (typeof countries)[number]

export type CountryLines = {
  /** Numbers for a person in immediate danger. */
  readonly emergency: string
  readonly selfHarm?: HelpLine
  readonly violence?: HelpLine
  /** For children and young people. */
  readonly child?: HelpLine
  readonly poison?: HelpLine
}

function line(contact: string, zh: string, hant: string, en: string): HelpLine {
  return { contact, name: { zh, 'zh-Hant': hant, en } }
}

/** Every number here has its source in docs/agents/safety.md. A number without a source is left out. */
export const helpLines: Readonly<Record<Country, CountryLines>> = {
  CN: {
    emergency: '120 / 110',
    selfHarm: line(
      '12356',
      '全国统一心理援助热线',
      '中國大陸心理援助熱線',
      'psychological help line, mainland China',
    ),
    violence: line('12338', '妇女维权热线', '中國大陸婦女維權熱線', 'women’s rights line, mainland China'),
    child: line('12355', '青少年服务台', '中國大陸青少年服務台', 'line for young people, mainland China'),
  },
  HK: {
    emergency: '999',
    selfHarm: line(
      '2389 2222',
      '香港撒玛利亚防止自杀会，24 小时',
      '香港撒瑪利亞防止自殺會，24 小時',
      'The Samaritan Befrienders Hong Kong, 24 hours',
    ),
    violence: line(
      '2343 2255',
      '香港社会福利署热线',
      '社會福利署熱線',
      'Social Welfare Department, Hong Kong',
    ),
  },
  TW: {
    emergency: '119 / 110',
    selfHarm: line('1925', '台湾安心专线，24 小时', '安心專線，24 小時', '1925 line, Taiwan, 24 hours'),
    violence: line(
      '113',
      '台湾保护专线，24 小时',
      '保護專線，24 小時',
      '113 protection line, Taiwan, 24 hours',
    ),
    child: line('113', '台湾保护专线，24 小时', '保護專線，24 小時', '113 protection line, Taiwan, 24 hours'),
  },
  SG: {
    emergency: '995 / 999',
    selfHarm: line(
      '1767',
      '新加坡援人协会，24 小时',
      '新加坡援人協會，24 小時',
      'Samaritans of Singapore, 24 hours',
    ),
  },
  US: {
    emergency: '911',
    selfHarm: line(
      '988',
      '美国自杀与危机生命线，可打电话或发短信',
      '美國自殺與危機生命線，可打電話或傳簡訊',
      'Suicide & Crisis Lifeline (US), call or text',
    ),
    violence: line(
      '1-800-799-7233',
      '美国家庭暴力热线',
      '美國家庭暴力熱線',
      'National Domestic Violence Hotline (US)',
    ),
    child: line(
      '1-800-422-4453',
      '美国虐童求助热线',
      '美國虐童求助熱線',
      'Childhelp hotline (US and Canada)',
    ),
    poison: line('1-800-222-1222', '美国中毒急救热线', '美國中毒急救熱線', 'Poison Control (US)'),
  },
  CA: {
    emergency: '911',
    selfHarm: line(
      '988',
      '加拿大自杀危机热线，可打电话或发短信',
      '加拿大自殺危機熱線，可打電話或傳簡訊',
      'Suicide Crisis Helpline (Canada), call or text',
    ),
    child: line('1-800-422-4453', '虐童求助热线', '虐童求助熱線', 'Childhelp hotline (US and Canada)'),
  },
  GB: {
    emergency: '999',
    selfHarm: line('116 123', '英国撒玛利亚会，免费', '英國撒瑪利亞會，免費', 'Samaritans (UK), free'),
    violence: line(
      '0808 2000 247',
      '英国家暴求助热线',
      '英國家暴求助熱線',
      'National Domestic Abuse Helpline (UK)',
    ),
    child: line('0800 1111', '英国儿童热线', '英國兒童熱線', 'Childline (UK)'),
  },
  IE: {
    emergency: '112',
    selfHarm: line(
      '116 123',
      '爱尔兰撒玛利亚会，免费',
      '愛爾蘭撒瑪利亞會，免費',
      'Samaritans (Ireland), free',
    ),
  },
  AU: {
    emergency: '000',
    selfHarm: line('13 11 14', '澳大利亚生命线', '澳洲生命線', 'Lifeline (Australia)'),
    violence: line('1800 737 732', '澳大利亚 1800RESPECT', '澳洲 1800RESPECT', '1800RESPECT (Australia)'),
  },
  NZ: {
    emergency: '111',
    selfHarm: line(
      '1737',
      '新西兰 1737，可打电话或发短信',
      '紐西蘭 1737，可打電話或傳簡訊',
      '1737 (New Zealand), call or text',
    ),
  },
  IN: {
    emergency: '112',
    selfHarm: line('14416', '印度 Tele-MANAS', '印度 Tele-MANAS', 'Tele-MANAS (India)'),
    violence: line('181', '印度妇女热线', '印度婦女熱線', 'women’s helpline (India)'),
    child: line('1098', '印度儿童热线', '印度兒童熱線', 'Childline (India)'),
  },
  EU: { emergency: '112' },
}

/** It knows lines of all countries. */
export const internationalLine: HelpLine = line(
  'https://findahelpline.com',
  '其他国家和地区的热线，可以按所在地查找',
  '其他國家和地區的熱線，可依所在地查詢',
  'help lines in other countries',
)
