import type { Language, Phrase } from '../language.ts'

export const infoTypes = ['birth', 'context', 'goals', 'concerns'] as const
/** What a form asks for. */
export type InfoType = (typeof infoTypes)[number]

/** A field of a form, as a page draws it. */
export type FormField = {
  readonly id: string
  readonly label: string
  readonly type: 'date' | 'time' | 'text' | 'select' | 'textarea'
  readonly required: boolean
  readonly placeholder: string
  readonly options?: readonly { readonly value: string; readonly label: string }[]
}

/**
 * The fields of a form, in the language of its reader. What they are filled in with is read by `readBirth`, or kept as
 * it is.
 */
export function formFields(infoType: InfoType, language: Language): readonly FormField[] {
  return infoType === 'birth' ? birthForm(language) : [textForm(infoType, language)]
}

/** Date, time, place and gender. The time and the place may be left empty. */
function birthForm(language: Language): readonly FormField[] {
  const field = (id: string, type: FormField['type'], [label, placeholder]: readonly [Phrase, Phrase]) => ({
    id,
    label: label[language],
    type,
    required: id === 'birthDate' || id === 'gender',
    placeholder: placeholder[language],
  })
  return [
    field('birthDate', 'date', DATE),
    field('birthTime', 'time', TIME),
    field('birthPlace', 'text', PLACE),
    {
      ...field('gender', 'select', GENDER),
      options: [
        { value: 'male', label: { zh: '男', en: 'Male' }[language] },
        { value: 'female', label: { zh: '女', en: 'Female' }[language] },
      ],
    },
  ]
}

const DATE = [
  { zh: '出生日期', en: 'Date of birth' },
  { zh: '1990-05-15，或 农历1990年四月廿一', en: '1990-05-15, or lunar 1990-04-21' },
] as const
const TIME = [
  { zh: '出生时间', en: 'Time of birth' },
  { zh: '14:30、下午两点半或未时；不知道就留空', en: '14:30 or 2:30 pm; leave it empty if you do not know' },
] as const
const PLACE = [
  { zh: '出生地点', en: 'Place of birth' },
  { zh: '成都，或 四川成都', en: 'Chengdu, China' },
] as const
const GENDER = [
  { zh: '性别', en: 'Gender' },
  { zh: '用来定大运的顺逆', en: 'It decides which way the luck cycles run' },
] as const

const TEXT_LABELS: Readonly<Record<Exclude<InfoType, 'birth'>, readonly [Phrase, Phrase]>> = {
  context: [
    { zh: '最近的情况', en: 'What is going on' },
    { zh: '想到什么写什么，几句话就好', en: 'A few words are enough' },
  ],
  goals: [
    { zh: '你想要的', en: 'What you want' },
    { zh: '比如：下半年想换一份工作', en: 'For example: another job by the end of the year' },
  ],
  concerns: [
    { zh: '你放不下的', en: 'What weighs on you' },
    { zh: '写下来的，随时可以查看、修改或删除', en: 'You can see, change and delete it at any time' },
  ],
}

function textForm(infoType: Exclude<InfoType, 'birth'>, language: Language): FormField {
  const [label, placeholder] = TEXT_LABELS[infoType]
  return {
    id: infoType,
    label: label[language],
    type: 'textarea',
    required: true,
    placeholder: placeholder[language],
  }
}
