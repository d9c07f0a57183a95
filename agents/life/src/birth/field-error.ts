import { ServiceError } from 'dragoman/errors'
import type { Json } from 'dragoman/events'
import type { Phrase } from '../language.ts'

/**
 * What is wrong with a field of a form: the field by its id, and what would be right. It goes to people, in their
 * language.
 */
export function fieldError(
  field: string,
  words: Phrase,
  details: Readonly<Record<string, Json>> = {},
): ServiceError {
  return new ServiceError('invalid-input', `${field}: ${words.en}`, {
    translations: { zh: `${labels[field] ?? field}：${words.zh}` },
    details: { field, ...details },
  })
}

const labels: Readonly<Record<string, string>> = {
  birthDate: '出生日期',
  birthTime: '出生时间',
  birthPlace: '出生地点',
  gender: '性别',
  calendar: '历法',
  dayBoundary: '换日时间',
  trueSolarTime: '真太阳时',
  applyDst: '夏令时',
  context: '最近的情况',
  goals: '你想要的',
  concerns: '你放不下的',
}
