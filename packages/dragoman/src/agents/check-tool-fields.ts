import { inspect } from 'node:util'

import { ServiceError } from '../errors.ts'
import { isInputSchema } from './input-schema.ts'

/** The names that all model providers accept. */
const TOOL_NAME = /^[a-zA-Z0-9_-]{1,64}$/
/** Timers count no further. */
const MAX_TIMER_MS = 2 ** 31 - 1

type Fields = Readonly<Record<string, unknown>>
type Check = {
  readonly isOptional?: true
  readonly isValid: (value: unknown) => boolean
  readonly must: string
}

const milliseconds: Check = {
  isOptional: true,
  isValid: (value) => Number.isInteger(value) && Number(value) >= 1 && Number(value) <= MAX_TIMER_MS,
  must: `be a whole number of milliseconds from 1 to ${MAX_TIMER_MS}`,
}

/** Each field of a tool, and what its value must be. */
const CHECKS: Readonly<Record<string, Check>> = {
  name: {
    isValid: (value) => typeof value === 'string' && TOOL_NAME.test(value),
    must: 'have 1 to 64 letters, digits, hyphens and underscores',
  },
  description: { isValid: (value) => typeof value === 'string', must: 'be a string' },
  inputSchema: {
    isValid: isInputSchema,
    must: 'be a schema, such as z.object({ city: z.string() }) of Zod or jsonSchema({ … }) of the AI SDK',
  },
  execute: { isValid: (value) => typeof value === 'function', must: 'be a function' },
  idempotent: { isOptional: true, isValid: (value) => typeof value === 'boolean', must: 'be true or false' },
  needsApproval: {
    isOptional: true,
    isValid: (value) => typeof value === 'boolean' || typeof value === 'function',
    must: 'be true, false or a function of the input',
  },
  preview: { isOptional: true, isValid: (value) => typeof value === 'function', must: 'be a function' },
  timeoutMs: milliseconds,
  answerWithinMs: milliseconds,
  toModelOutput: { isOptional: true, isValid: (value) => typeof value === 'function', must: 'be a function' },
}

/**
 * Checks the fields of a tool. @throws ServiceError `invalid-request`, naming the tool, the field, the value and
 * the remedy
 */
export function checkToolFields(tool: object): void {
  const fields = tool as Fields
  const unknownField = Object.keys(fields).find((field) => !Object.hasOwn(CHECKS, field))
  if (unknownField !== undefined)
    throw toolDefinitionError(
      fields['name'],
      `there is no field ${unknownField}. Use ${Object.keys(CHECKS).join(', ')}.`,
    )
  for (const [field, { isOptional = false, isValid, must }] of Object.entries(CHECKS)) {
    const value = fields[field]
    if (isValid(value) || (isOptional && value === undefined)) continue
    throw toolDefinitionError(
      fields['name'],
      value === undefined
        ? `${field} is missing: it must ${must}.`
        : `${field} must ${must}, not ${show(value)}.`,
    )
  }
}

/** The error for a tool that cannot be used. */
export function toolDefinitionError(name: unknown, sentence: string): ServiceError {
  const tool = name === undefined ? 'A tool without a name' : `Tool ${show(name)}`
  return new ServiceError('invalid-request', `${tool}: ${sentence}`)
}

function show(value: unknown): string {
  return typeof value === 'string'
    ? JSON.stringify(value)
    : inspect(value, { depth: 0, breakLength: Infinity })
}
