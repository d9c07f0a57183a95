import type { Json } from '../../../events/index.ts'
import type { Schema } from './document.ts'

/** A schema as people write it down: `{ limit?: 1 to 100 }`. */
export function renderSchema(schema: Schema, indent = ''): string {
  const reference = schema['$ref']
  if (typeof reference === 'string') return reference.slice(reference.lastIndexOf('/') + 1)
  for (const [key, sign] of [
    ['anyOf', ' | '],
    ['oneOf', ' | '],
    ['allOf', ' & '],
  ] as const) {
    const held = schema[key]
    if (Array.isArray(held)) return held.map((each: Schema) => renderSchema(each, indent)).join(sign)
  }
  const { type } = schema
  if (Array.isArray(type))
    return type.map((each: Json) => renderSchema({ ...schema, type: each }, indent)).join(' | ')
  if ('const' in schema) return JSON.stringify(schema['const'])
  if (Array.isArray(schema['enum']))
    return schema['enum'].map((each: Json) => JSON.stringify(each)).join(' | ')
  if (type === 'array') return `[${renderSchema(partOf(schema['items']), indent)}]`
  if (type === 'object') return fieldsOf(schema, indent)
  return plain(schema)
}

function fieldsOf(schema: Schema, indent: string): string {
  const fields = Object.entries(partOf(schema['properties']))
  if (fields.length === 0) return '{ … }'
  const needed: readonly Json[] = Array.isArray(schema['required']) ? schema['required'] : []
  const deeper = `${indent}  `
  const lines = fields.map(([name, held]) => {
    const field = partOf(held)
    const note = typeof field['description'] === 'string' ? `  // ${field['description']}` : ''
    return `${deeper}${name}${needed.includes(name) ? '' : '?'}: ${renderSchema(field, deeper)}${note}\n`
  })
  return `{\n${lines.join('')}${indent}}`
}

function plain({ type, minimum, maximum, format, ...rest }: Schema): string {
  const usual = 'default' in rest ? ` = ${JSON.stringify(rest['default'])}` : ''
  const most = typeof maximum === 'number' && maximum < Number.MAX_SAFE_INTEGER ? maximum : undefined
  const name = [format, type, 'any'].find((word) => typeof word === 'string')
  if (typeof minimum === 'number' && minimum > Number.MIN_SAFE_INTEGER)
    return `${name}, ${most === undefined ? `${minimum} or more` : `${minimum} to ${most}`}${usual}`
  return `${name}${usual}`
}

function partOf(value: Json | undefined): Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Schema) : {}
}
