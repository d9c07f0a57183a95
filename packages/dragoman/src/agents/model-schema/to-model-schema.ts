import { isJsonObject, type Json } from '../../events/index.ts'
import { cleanSchema } from './clean-schema.ts'
import { mergeTopLevel } from './merge-top-level.ts'

/**
 * The schema of a tool's input as all providers accept it: one object at the top, and valid below. It accepts all
 * that the tool does, so the tool's own schema still has to check the input.
 */
export function toModelSchema(schema: Json): Json {
  // Cleaned again: a reference into what was merged leads nowhere.
  return isJsonObject(schema) ? cleanSchema(mergeTopLevel(cleanSchema(schema))) : schema
}
