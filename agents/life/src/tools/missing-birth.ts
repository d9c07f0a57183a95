import type { ToolResult } from 'dragoman/agents'
import type { Language, Phrase } from '../language.ts'
import { cardResult } from './card-result.ts'

const missingBirthText: Phrase = {
  zh: '还没有你的出生信息。填一下出生日期、时间和地点，就能排盘了；不知道时辰也没关系。',
  en: 'Your birth data is not known yet. With date, time and place of birth the chart can be drawn; not knowing the hour is fine.',
}

/** In place of a card that rests on a chart, where there is none: never an example's. */
export function missingBirth(language: Language): ToolResult {
  const error = missingBirthText[language]
  return cardResult(
    { status: 'error', cardType: 'need_info', error, need_info: 'birth', needInfo: 'birth' },
    error,
  )
}
