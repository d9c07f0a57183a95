import type { Json } from '../api/types.ts'

type Fields = { readonly [name: string]: Json }

/** A field of a form, as its JSON schema describes it. */
export type FormField = {
  readonly name: string
  readonly label: string
  readonly hint?: string
  readonly isRequired: boolean
  readonly initial?: Json
  readonly kind: 'text' | 'number' | 'yes-no' | 'choice' | 'choices' | 'json'
  /** The type of the input of a text. */
  readonly inputType?: 'text' | 'email' | 'url' | 'date'
  readonly options?: readonly { readonly value: Json; readonly label: string }[]
}

/** The fields of a schema of an object. Undefined for any other schema: its value is written as JSON. */
export function fieldsOf(schema: Json | undefined): readonly FormField[] | undefined {
  const properties = isFields(schema) && schema['type'] === 'object' ? schema['properties'] : undefined
  if (!isFields(schema) || !isFields(properties)) return undefined
  const required = Array.isArray(schema['required']) ? schema['required'] : []
  return Object.entries(properties).map(([name, property]) =>
    fieldOf(name, property, required.includes(name)),
  )
}

function fieldOf(name: string, property: Json, isRequired: boolean): FormField {
  const fields = isFields(property) ? property : {}
  const { title, description, default: initial } = fields
  return {
    name,
    label: typeof title === 'string' ? title : name,
    ...(typeof description === 'string' && { hint: description }),
    ...(initial !== undefined && { initial }),
    isRequired,
    ...controlOf(fields),
  }
}

function controlOf(schema: Fields): Pick<FormField, 'kind' | 'inputType' | 'options'> {
  const options = optionsOf(schema)
  if (options) return { kind: 'choice', options }
  const { type, items } = schema
  const itemOptions = type === 'array' && isFields(items) ? optionsOf(items) : undefined
  if (itemOptions) return { kind: 'choices', options: itemOptions }
  if (type === 'boolean') return { kind: 'yes-no' }
  if (type === 'number' || type === 'integer') return { kind: 'number' }
  return type === 'string' ? { kind: 'text', inputType: inputTypeOf(schema['format']) } : { kind: 'json' }
}

function inputTypeOf(format: Json | undefined): NonNullable<FormField['inputType']> {
  if (format === 'email' || format === 'date') return format
  return format === 'uri' ? 'url' : 'text'
}

function labelOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function optionsOf({ enum: values, enumNames, oneOf, anyOf }: Fields): FormField['options'] {
  if (Array.isArray(values)) {
    const names = Array.isArray(enumNames) ? enumNames : []
    return values.map((value, at) => ({ value, label: labelOf(names[at] ?? value) }))
  }
  const variants = oneOf ?? anyOf
  if (!Array.isArray(variants)) return undefined
  const options = variants.flatMap((variant) => {
    const { const: value, title } = isFields(variant) ? variant : {}
    return value === undefined ? [] : [{ value, label: labelOf(title ?? value) }]
  })
  return options.length === variants.length && options.length > 0 ? options : undefined
}

function isFields(value: Json | undefined): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
