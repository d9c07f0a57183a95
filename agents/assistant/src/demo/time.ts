import type { ToolRule } from './tool-rule.ts'

const asked =
  /\bwhat(?:'s| is|’s)? (?:the )?(?:current )?(?:time|date|day)\b|\b(?:tell me|show me) the (?:time|date)\b|\bcurrent (?:time|date)\b|\bwhat time\b|\btoday's date\b|^time in\b|几点|现在(?:的)?时间|当前时间|今天(?:是)?(?:几号|星期几|周几|什么日子|的日期)|报时/i

/** Cities that people ask for. */
const zones: readonly (readonly [RegExp, string])[] = [
  [/\bberlin\b|柏林|\bgermany\b|德国/i, 'Europe/Berlin'],
  [/\blondon\b|伦敦|\bengland\b|英国/i, 'Europe/London'],
  [/\bparis\b|巴黎|法国/i, 'Europe/Paris'],
  [/\bmoscow\b|莫斯科/i, 'Europe/Moscow'],
  [/\bnew york\b|纽约|\bboston\b/i, 'America/New_York'],
  [/\bchicago\b|芝加哥/i, 'America/Chicago'],
  [/\b(?:san francisco|los angeles|seattle|california)\b|旧金山|洛杉矶|西雅图/i, 'America/Los_Angeles'],
  [/\b(?:beijing|shanghai|shenzhen|china)\b|北京|上海|深圳|中国/i, 'Asia/Shanghai'],
  [/\bhong kong\b|香港/i, 'Asia/Hong_Kong'],
  [/\b(?:tokyo|japan)\b|东京|日本/i, 'Asia/Tokyo'],
  [/\bsingapore\b|新加坡/i, 'Asia/Singapore'],
  [/\b(?:delhi|mumbai|india)\b|印度|孟买/i, 'Asia/Kolkata'],
  [/\bdubai\b|迪拜/i, 'Asia/Dubai'],
  [/\bsydney\b|悉尼/i, 'Australia/Sydney'],
  [/\butc\b|\bgmt\b/i, 'UTC'],
]

/** Says what time it is. */
export const time: ToolRule = {
  call: 'current_time',
  readOnly: true,
  example: {
    en: 'Tell the time: “what time is it in Tokyo?”',
    zh: '报时：“东京现在几点？”',
  },
  read({ words, language }) {
    if (!asked.test(words)) return undefined
    const [named] = /\b[A-Z][a-z]+\/[A-Z][A-Za-z_]+\b/.exec(words) ?? []
    const zone = named ?? zones.find(([city]) => city.test(words))?.[1] ?? zoneOfPlace(words)
    return {
      input: zone === undefined ? {} : { zone },
      thought: {
        en: 'The user asks for the time; I will look at the clock.',
        zh: '用户想知道时间，我来看一下。',
      }[language],
    }
  },
  tell({ text }, language) {
    const [line = '', day = '', chinese = ''] = text.split('\n')
    const [, clock = line, zone = ''] = /T(\d\d:\d\d):\d\d\S* \((.*)\)$/.exec(line) ?? []
    return language === 'zh'
      ? `现在是 ${chinese} ${clock}（${zone}）。`
      : `It is ${clock} on ${day} (${zone}).`
  },
}

/** Of any city after which a zone is named: “in Oslo”, “in Mexico City”; of another the tool says that there is none. https://www.iana.org/time-zones */
function zoneOfPlace(words: string): string | undefined {
  const [, place] = /\bin (\p{Lu}[\p{L}'-]*(?: \p{Lu}[\p{L}'-]*)*)/u.exec(words) ?? []
  if (place === undefined) return undefined
  const city = `/${place.replaceAll(' ', '_').toLowerCase()}`
  return Intl.supportedValuesOf('timeZone').find((zone) => zone.toLowerCase().endsWith(city)) ?? place
}
