import type { ConsoleKit, ToolCardProps } from '@dragoman/console/view'
import { useState, type FormEvent } from 'react'

import { CardText } from './card-text.tsx'
import css from './form.css?inline'
import { translatorOf } from './translator.ts'

type Field = {
  readonly id: string
  readonly label: string
  readonly type: string
  readonly required?: boolean
  readonly placeholder?: string
  readonly options?: readonly { readonly value: string; readonly label: string }[]
}

type FormOutput = {
  readonly cardType: 'collect_form'
  readonly infoType: string
  readonly question?: string
  readonly fields: readonly Field[]
}

/** A form whose values are sent with the next message, and are stored before the answer starts. */
export default function FormCard({ output, language, kit, send }: ToolCardProps) {
  const t = translatorOf(language)
  const [isSent, setSent] = useState(false)
  if (!isForm(output)) return <CardText output={output} />
  const { question, fields, infoType } = output
  const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    if (infoType === 'birth' && (await hasBirth(kit)) && !confirm(t('form.replace'))) return
    const values = Object.fromEntries(fields.map(({ id }) => [id, (form.get(id) as string | null) ?? '']))
    const answers = fields.flatMap(({ id, label, options }) => {
      const value = options?.find((option) => option.value === values[id])?.label ?? values[id]
      return value === undefined || value === '' ? [] : [`${label}: ${value}`]
    })
    setSent(true)
    send?.(answers.join('\n'), { form: { info_type: infoType, ...values } })
  }
  return (
    <form className="life-form" onSubmit={(event) => void submit(event)} onInput={() => setSent(false)}>
      <style href="life-form" precedence="low">
        {css}
      </style>
      {question !== undefined && <p>{question}</p>}
      {fields.map((field) => (
        <label key={field.id}>
          {field.label}
          <Input field={field} />
        </label>
      ))}
      <button type="submit" className="button primary" disabled={!send || isSent}>
        {t('done')}
      </button>
      {isSent && <p role="status">{t('sent')}</p>}
    </form>
  )
}

/** Whether a birth was stored since the form was asked for, such as on the page of life. */
async function hasBirth({ request }: ConsoleKit): Promise<boolean> {
  const { profile } = await request<{ profile?: { birth?: unknown } }>('/life/profile')
  return profile?.birth !== undefined && profile.birth !== null
}

function Input({ field }: { readonly field: Field }) {
  const { id, type, required, placeholder, options = [] } = field
  if (type === 'select')
    return (
      <select className="field" name={id} required={required} defaultValue="">
        {/* Nothing is chosen for anybody. */}
        <option value="">{placeholder}</option>
        {options.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    )
  if (type === 'textarea')
    return <textarea className="field" name={id} required={required} placeholder={placeholder} rows={3} />
  // A text field: 农历1990年四月廿一, 未时 and "2:30 pm" are all valid, and no date picker knows them.
  return <input className="field" type="text" name={id} required={required} placeholder={placeholder} />
}

function isForm(output: unknown): output is FormOutput {
  return (
    typeof output === 'object' &&
    output !== null &&
    'cardType' in output &&
    output.cardType === 'collect_form'
  )
}
