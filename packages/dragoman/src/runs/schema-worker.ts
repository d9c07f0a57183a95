import { z } from 'zod'

import { describeMistakes } from '../describe-mistakes.ts'
import { isJsonObject, type Json } from '../events/index.ts'
import { serveWorker } from '../isolate/index.ts'

/** The thread that checks values by the schemas of strangers, which may be written to take for ever, or all memory. */

export type SchemaCheck = { readonly schema: Json; readonly value: Json }

/** Describes what a schema finds wrong. One that cannot be read refuses nothing. */
serveWorker<SchemaCheck, string | undefined>(({ schema, value }) => {
  const issues = toValidator(schema)?.safeParse(value).error?.issues
  return issues && describeMistakes(issues)
})

function toValidator(schema: Json): z.ZodType | undefined {
  if (!isJsonObject(schema)) return undefined
  try {
    return z.fromJSONSchema(schema)
  } catch {
    return undefined
  }
}
