import { countriesFor, countryOf, helpLanguageOf } from './country.ts'
import { internationalLine, helpLines, type Country, type HelpLanguage, type HelpLine } from './help-lines.ts'
import type { Danger } from './detect-danger.ts'

type Phrase = Readonly<Record<HelpLanguage, string>>

const opening: Readonly<Record<Danger, Phrase>> = {
  'self-harm': {
    zh: '看到你说起这些，我很在意，谢谢你愿意说出来。现在最要紧的是你的安全。',
    'zh-Hant': '看到你說起這些，我很在意，謝謝你願意說出來。現在最要緊的是你的安全。',
    en: 'What you wrote matters to me, and I am glad you said it. Your safety comes first now.',
  },
  overdose: {
    zh: '这可能有生命危险，请不要等：现在就打急救电话，也叫醒或叫来身边的人。把药瓶或包装留着，告诉急救人员吃了什么、吃了多少、什么时候吃的。',
    'zh-Hant':
      '這可能有生命危險，請不要等：現在就打急救電話，也叫醒或叫來身邊的人。把藥瓶或包裝留著，告訴急救人員吃了什麼、吃了多少、什麼時候吃的。',
    en: 'This can be life-threatening. Please do not wait: call for an ambulance now, and get somebody near you. Keep the bottle or pack, and say what was taken, how much and when.',
  },
  violence: {
    zh: '听到你遇到这样的事，我很难过。这不是你的错，你有权利得到保护。',
    'zh-Hant': '聽到你遇到這樣的事，我很難過。這不是你的錯，你有權利得到保護。',
    en: 'I am so sorry this is happening to you. It is not your fault, and you deserve to be safe.',
  },
}

const danger: Phrase = {
  zh: '如果此刻有危险，请马上拨打',
  'zh-Hant': '如果此刻有危險，請馬上撥打',
  en: 'If you are in danger right now, call',
}
const ambulance: Phrase = { zh: '急救电话', 'zh-Hant': '急救電話', en: 'Emergency' }
const local: Phrase = {
  zh: '当地的急救或报警电话',
  'zh-Hant': '當地的急救或報警電話',
  en: 'your local emergency number',
}
const lead: Phrase = {
  zh: '这里有人愿意听你说：',
  'zh-Hant': '這裡有人願意聽你說：',
  en: 'These people will listen and help:',
}
const under18: Phrase = { zh: '未满 18 岁：', 'zh-Hant': '未滿 18 歲：', en: 'if you are under 18: ' }
const closing: Readonly<Record<Danger, Phrase>> = {
  'self-harm': {
    zh: '如果可以，请现在告诉一个你信任的人，让他陪着你。你不必一个人扛。',
    'zh-Hant': '如果可以，請現在告訴一個你信任的人，讓他陪著你。你不必一個人扛。',
    en: 'If you can, tell someone you trust now and ask them to stay with you. You do not have to carry this alone.',
  },
  overdose: {
    zh: '如果是因为太难受才这样做，医院里会有人帮你，你不必一个人扛。',
    'zh-Hant': '如果是因為太難受才這樣做，醫院裡會有人幫你，你不必一個人扛。',
    en: 'If you did this because it hurts too much, there are people who will help you through it. You do not have to carry this alone.',
  },
  violence: {
    zh: '如果可以，先去一个安全的地方，再告诉一个你信任的人：亲戚、老师、邻居或医生。',
    'zh-Hant': '如果可以，先去一個安全的地方，再告訴一個你信任的人：親戚、老師、鄰居或醫生。',
    en: 'If you can, go somewhere safe first, and tell someone you trust: a relative, a teacher, a neighbor or a doctor.',
  },
}
const misunderstanding: Phrase = {
  zh: '如果我误会了你的意思，换个说法再告诉我就好。',
  'zh-Hant': '如果我誤會了你的意思，換個說法再告訴我就好。',
  en: 'If I misunderstood you, just say it again in other words.',
}

/** The message of a user in danger. `zone` is the user's IANA time zone, if known. */
export type HelpRequest = { readonly words: string; readonly zone?: string | undefined }

/** Writes the server's answer to a user in danger: kind words, the emergency number and the local help lines. */
export function crisisHelp(kind: Danger, { words, zone }: HelpRequest): string {
  const country = countryOf(zone)
  const language = helpLanguageOf(words, country)
  const places = countriesFor(country, language)
  const lines = places.flatMap((place) => linesFor(kind, place, language))
  return [
    opening[kind][language],
    emergency(kind, { places, language, isKnown: country !== undefined }),
    [
      ...(lines.length > 0 ? [lead[language]] : []),
      ...new Set(lines),
      formatLine(internationalLine, language),
    ].join('\n'),
    closing[kind][language],
    misunderstanding[language],
  ].join('\n\n')
}

function linesFor(kind: Danger, country: Country, language: HelpLanguage): string[] {
  const { selfHarm, violence, child, poison } = helpLines[country]
  const lists = { 'self-harm': [selfHarm], overdose: [poison, selfHarm], violence: [violence] }[kind]
  const all = lists.flatMap((line) => (line ? [formatLine(line, language)] : []))
  return kind === 'violence' && child ? [...all, formatLine(child, language, under18[language])] : all
}

function formatLine({ contact, name }: HelpLine, language: HelpLanguage, before = ''): string {
  return `- ${before}${contact} (${name[language]})`
}

type Where = { places: readonly Country[]; language: HelpLanguage; isKnown: boolean }

/** The local emergency number. If the country is unknown, those of the likely countries. */
function emergency(kind: Danger, { places, language, isKnown }: Where): string {
  const numbers = [...new Set(places.map((place) => helpLines[place].emergency))].join(', ')
  const or = { zh: '，其他地方请拨', 'zh-Hant': '，其他地方請撥', en: ', or ' }[language]
  const all = isKnown ? numbers : `${numbers}${or}${local[language]}`
  const stop = language === 'en' ? '.' : '。'
  return kind === 'overdose' ? `**${ambulance[language]}: ${all}**` : `${danger[language]} ${all}${stop}`
}
