import type { ToolCardProps } from '@dragoman/console/view'

type Json = ToolCardProps['output']
type JsonFields = { readonly [field: string]: Json | undefined }

/** The fields of an object: none of any other value. */
export function recordOf(value: Json): JsonFields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonFields) : {}
}

/** A text, or an empty one for any other value. */
export function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : ''
}
