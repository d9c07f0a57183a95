import type { Phrase } from './language.ts'

/** The style of the agent's texts. */
export const voices = ['warm', 'sarcastic', 'wise'] as const
export type Voice = (typeof voices)[number]

export const voiceNames: Readonly<Record<Voice, Phrase>> = {
  warm: { zh: '暖心', en: 'warm' },
  sarcastic: { zh: '毒舌', en: 'sharp-tongued' },
  wise: { zh: '导师', en: 'wise' },
}
