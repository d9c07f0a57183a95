import { infoTypes, type InfoType } from './form-fields.ts'
import { isBirthForm, type Form } from './read-birth.ts'
import { fieldError } from './field-error.ts'

/** A form that came with a message: which it was, and its fields. */
export type SubmittedForm = { readonly infoType: InfoType; readonly fields: Form }

/**
 * Which form was filled in: the one that it names, else the one whose fields it has. @throws ServiceError
 * `invalid-input`
 */
export function submittedForm(form: Form): SubmittedForm {
  const { info_type: snake, infoType: named = snake, ...fields } = form
  const textType = infoTypes.find((each) => each !== 'birth' && Object.hasOwn(fields, each))
  const infoType =
    named === undefined || named === null
      ? (textType ?? (isBirthForm(fields) ? 'birth' : undefined))
      : infoTypes.find((each) => each === named)
  if (infoType) return { infoType, fields }
  const typeNames = infoTypes.join(', ')
  throw fieldError('info_type', { en: `must be one of ${typeNames}.`, zh: `只能是 ${typeNames} 之一。` })
}
