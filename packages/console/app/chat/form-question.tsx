import { useId, useState, type FormEvent } from 'react'

import type { Answer, Json } from '../api/types.ts'
import { useTranslate } from '../i18n/translate.tsx'
import { AnswerButtons } from './answer-buttons.tsx'
import { fieldsOf, type FormField } from './form-fields.ts'
import { parseJson } from './parse-json.ts'

type FormQuestionProps = {
  readonly message: string | undefined
  readonly schema: Json | undefined
  readonly onAnswer: (answer: Answer) => void
  readonly isDisabled: boolean
}

/** A form that is drawn from its JSON schema, or a text of JSON if the schema is of no plain object. */
export function FormQuestion({ message, schema, onAnswer, isDisabled }: FormQuestionProps) {
  const { t } = useTranslate()
  const fields = fieldsOf(schema)
  const [values, setValues] = useState<Readonly<Record<string, Json>>>(() => initialValues(fields))
  const [text, setText] = useState('')
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    onAnswer({ kind: 'form', output: fields ? values : parseJson(text) })
  }
  const change = (name: string, value: Json | undefined): void => {
    const { [name]: _, ...others } = values
    setValues(value === undefined ? others : { ...others, [name]: value })
  }
  return (
    <form onSubmit={submit}>
      <p>{message ?? t('question.form')}</p>
      {fields ? (
        fields.map((field) => (
          <FieldInput
            key={field.name}
            field={field}
            value={values[field.name]}
            onChange={(value) => change(field.name, value)}
          />
        ))
      ) : (
        <textarea
          className="field"
          rows={3}
          aria-label={t('question.outputField')}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      )}
      <AnswerButtons
        isDisabled={isDisabled}
        refusal={t('question.decline')}
        onRefuse={() => onAnswer({ kind: 'approval', approved: false })}
      />
    </form>
  )
}

function initialValues(fields: readonly FormField[] = []): Record<string, Json> {
  return Object.fromEntries(
    fields.flatMap(({ name, kind, isRequired, initial }) => {
      // A box that is not ticked means no.
      const value = initial ?? (kind === 'yes-no' && isRequired ? false : undefined)
      return value === undefined ? [] : [[name, value]]
    }),
  )
}

type FieldInputProps = {
  readonly field: FormField
  readonly value: Json | undefined
  readonly onChange: (value: Json | undefined) => void
}

function FieldInput({ field, value, onChange }: FieldInputProps) {
  const id = useId()
  const { label, hint, isRequired, kind } = field
  const { t } = useTranslate()
  return (
    <div className="question-field">
      <label htmlFor={id}>{isRequired ? label : `${label} (${t('question.optional')})`}</label>
      {hint !== undefined && <p className="quiet">{hint}</p>}
      {kind === 'choice' || kind === 'choices' ? (
        <Choice id={id} field={field} value={value} onChange={onChange} />
      ) : kind === 'yes-no' ? (
        <input
          id={id}
          type="checkbox"
          checked={value === true}
          onChange={(event) => onChange(event.target.checked)}
        />
      ) : (
        <input
          id={id}
          className="field"
          type={kind === 'number' ? 'number' : (field.inputType ?? 'text')}
          step={kind === 'number' ? 'any' : undefined}
          required={isRequired}
          defaultValue={value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value)}
          onChange={(event) => onChange(readText(kind, event.target.value))}
        />
      )}
    </div>
  )
}

function readText(kind: FormField['kind'], text: string): Json | undefined {
  if (text === '') return undefined
  return kind === 'text' ? text : parseJson(text)
}

/** Several choices are a list in which several lines can be marked. */
function Choice({ id, field, value, onChange }: FieldInputProps & { readonly id: string }) {
  const { kind, options = [], isRequired } = field
  const isMany = kind === 'choices'
  const indexOf = (each: Json): string => String(options.findIndex((option) => option.value === each))
  const chosen = Array.isArray(value) ? value.map(indexOf) : value === undefined ? '' : indexOf(value)
  return (
    <select
      id={id}
      className="field"
      multiple={isMany}
      required={isRequired}
      value={isMany && chosen === '' ? [] : chosen}
      onChange={({ target }) => {
        const marked = [...target.selectedOptions].flatMap(
          (option) => options[Number(option.value)]?.value ?? [],
        )
        onChange(isMany ? marked : target.value === '' ? undefined : marked[0])
      }}
    >
      {!isMany && <option value="" />}
      {options.map((option, at) => (
        <option key={option.label} value={String(at)}>
          {option.label}
        </option>
      ))}
    </select>
  )
}
