import { canonicalJson, type Json } from 'dragoman/events'
import { sha256 } from './sha-256.ts'

/** TanStack AI lets a page answer a form only if its metadata binds it to the run and to the schema. */
export function tanStackBinding(
  interruptId: string,
  interruptedRunId: string,
  schema: Json,
): { readonly [field: string]: Json } {
  return {
    'tanstack:interruptBinding': {
      v: 1,
      kind: 'generic',
      interruptId,
      interruptedRunId,
      generation: 0,
      responseSchemaHash: `sha256:${sha256(canonicalJson(schema))}`,
    },
  }
}
