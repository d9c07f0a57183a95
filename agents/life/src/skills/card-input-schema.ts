import { z } from 'zod'

import { ServiceError } from 'dragoman/errors'
import type { Json } from 'dragoman/events'
import type { SkillCard } from './skill.ts'

/**
 * The input that a card's JSON Schema describes. @throws ServiceError `invalid-input` for one that cannot be followed
 */
export function createCardInputSchema(parameters: SkillCard['parameters']): z.ZodType {
  if (parameters['type'] !== 'object') throw wrong('type must be object')
  // An expression of a stranger's can take for ever over a short text.
  if (says(parameters, /^pattern(Properties)?$/))
    throw wrong('pattern is not supported: describe the form in words')
  // Schemas that refer to each other twice have too many combinations to validate.
  if (says(parameters, /^\$(?:dynamic)?ref$/i)) throw wrong('$ref is not supported: write out what it names')
  try {
    const input = z.fromJSONSchema(parameters)
    // The model gets this schema, and not every input has one.
    z.toJSONSchema(input, { io: 'input' })
    return input
  } catch (cause) {
    throw wrong(cause instanceof Error ? cause.message : String(cause))
  }
}

/** Whether a keyword stands anywhere in a schema; as the name of a property it is none. */
function says(schema: Json, keyword: RegExp): boolean {
  if (Array.isArray(schema)) return schema.some((each: Json) => says(each, keyword))
  if (typeof schema !== 'object' || schema === null) return false
  return Object.entries(schema).some(([name, held]) => {
    if (keyword.test(name)) return true
    const isNamed = (name === 'properties' || name === '$defs') && typeof held === 'object' && held !== null
    return says(isNamed ? Object.values(held) : held, keyword)
  })
}

function wrong(why: string): ServiceError {
  return new ServiceError('invalid-input', `parameters: ${why}`)
}
