import { fillIn, type Language, type Phrase } from '../language.ts'
import texts from './birth-texts.json' with { type: 'json' }
import { fieldError } from './field-error.ts'
import forms from './forms.json' with { type: 'json' }
import { isBirthForm, type Form } from './parse-birth-form.ts'

export const infoTypes = ['birth', 'context', 'goals', 'concerns'] as const
/** What a form asks for. */
export type InfoType = (typeof infoTypes)[number]

/** A field of a form, as a page draws it. */
export type FormField = {
  readonly id: string
  readonly label: string
  readonly type: string
  readonly required: boolean
  readonly placeholder: string
  readonly options?: readonly { readonly value: string; readonly label: string }[]
}

type FieldTemplate = Pick<FormField, 'id' | 'type' | 'required'> & {
  readonly label: Phrase
  readonly placeholder: Phrase
  readonly options?: readonly { readonly value: string; readonly label: Phrase }[]
}

const templates: Readonly<
  Record<InfoType, { readonly question: Phrase; readonly fields: readonly FieldTemplate[] }>
> = forms

/** The sentence above a form. */
export function formQuestion(infoType: InfoType, language: Language): string {
  return templates[infoType].question[language]
}

/** The fields of a form. `readBirth` reads the filled birth form. The text of any other form is stored as it is. */
export function formFields(infoType: InfoType, language: Language): readonly FormField[] {
  return templates[infoType].fields.map((field) => translateField(field, language))
}

function translateField({ options, ...field }: FieldTemplate, language: Language): FormField {
  return {
    ...field,
    label: field.label[language],
    placeholder: field.placeholder[language],
    ...(options && { options: options.map(({ value, label }) => ({ value, label: label[language] })) }),
  }
}

/** A form that came with a message. */
export type SubmittedForm = { readonly infoType: InfoType; readonly fields: Form }

/** Finds the type that a form names, else the one whose fields it has. @throws ServiceError `invalid-input` */
export function submittedForm(form: Form): SubmittedForm {
  const { info_type: snake, infoType: name = snake, ...fields } = form
  const textType = infoTypes.find((each) => each !== 'birth' && Object.hasOwn(fields, each))
  const infoType =
    name === undefined || name === null
      ? (textType ?? (isBirthForm(fields) ? 'birth' : undefined))
      : infoTypes.find((each) => each === name)
  if (infoType) return { infoType, fields }
  throw fieldError('info_type', fillIn(texts.wrongForm, { types: infoTypes.join(', ') }))
}
