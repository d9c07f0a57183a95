import { confirm, isCancel, select, text } from '@clack/prompts'

import type { AssistantMessage } from '@dragoman/client'
import { isJsonObject, type Json } from 'dragoman/events'
import { printableLine } from '../printable.ts'

type Field = {
  readonly id: string
  readonly label: string
  readonly type?: string
  readonly required?: boolean
  readonly placeholder?: string
  readonly options?: readonly { readonly value: string; readonly label: string }[]
}

/** A form that a tool has put into the chat. Its values are sent with the next message. */
export type Form = {
  readonly infoType: string
  readonly question?: string
  readonly fields: readonly Field[]
}

/** A message and its context. */
export type FormAnswer = { readonly message: string; readonly context: { readonly [key: string]: Json } }

/** The form at the end of an answer, if there is one. */
export function findForm({ parts }: AssistantMessage): Form | undefined {
  const last = parts.findLast((part) => part.type === 'tool')
  return isForm(last?.output) ? (last?.output as unknown as Form) : undefined
}

function isForm(output: Json | undefined): boolean {
  if (output === undefined || !isJsonObject(output)) return false
  const { infoType, fields } = output
  return typeof infoType === 'string' && Array.isArray(fields) && fields.every(isField)
}

function isField(field: Json): boolean {
  return isJsonObject(field) && typeof field['id'] === 'string' && typeof field['label'] === 'string'
}

/** Asks for the fields of a form, one by one. Undefined if the user does not want to fill it in. */
export async function fillForm({ infoType, question, fields }: Form): Promise<FormAnswer | undefined> {
  const agreement = await confirm({ message: printableLine(question ?? 'Fill in the form?') })
  if (isCancel(agreement) || !agreement) return undefined
  const values: Record<string, string> = {}
  const answers: string[] = []
  for (const field of fields) {
    const value = await askField(field)
    if (isCancel(value)) return undefined
    values[field.id] = value
    const label = field.options?.find((option) => option.value === value)?.label ?? value
    if (label !== '') answers.push(`${field.label}: ${label}`)
  }
  return { message: answers.join('\n'), context: { form: { info_type: infoType, ...values } } }
}

async function askField({ label, required = false, placeholder = '', options }: Field) {
  const message = `${printableLine(label)}${required ? ' *' : ''}`
  if (options) {
    const choices = options.map((option) => ({ value: option.value, label: printableLine(option.label) }))
    return select({ message, options: required ? choices : [{ value: '', label: '-' }, ...choices] })
  }
  return text({
    message,
    placeholder: printableLine(placeholder),
    defaultValue: '',
    validate: (value) => (required && (value ?? '').trim() === '' ? 'This field is required.' : undefined),
  })
}
