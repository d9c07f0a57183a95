import type { Language } from '../language.ts'
import type { Voice } from '../voice.ts'
import type { Wording } from './wording.ts'
import { englishSarcastic } from './words/english-sarcastic.ts'
import { englishWarm } from './words/english-warm.ts'
import { englishWise } from './words/english-wise.ts'
import { chineseSarcastic } from './words/chinese-sarcastic.ts'
import { chineseWarm } from './words/chinese-warm.ts'
import { chineseWise } from './words/chinese-wise.ts'

/** What each voice says in each language. */
export const wordings: Readonly<Record<Language, Readonly<Record<Voice, Wording>>>> = {
  zh: { warm: chineseWarm, sarcastic: chineseSarcastic, wise: chineseWise },
  en: { warm: englishWarm, sarcastic: englishSarcastic, wise: englishWise },
}
