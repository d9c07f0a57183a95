import { ServiceError } from 'dragoman/errors'
import type { Json } from 'dragoman/events'
import type { Phrase } from '../language.ts'
import texts from './birth-texts.json' with { type: 'json' }

const labels: Readonly<Record<string, string>> = texts.labels

/** An error about a field of a form, in both languages. `words` say what the field must be. */
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
