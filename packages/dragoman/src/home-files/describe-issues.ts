import { z } from 'zod'

import { editDistance } from './edit-distance.ts'
import { formatPath } from './expand-variables.ts'

type Issue = z.core.$ZodIssue
type RawIssue = z.core.$ZodRawIssue

/**
 * Describes each problem of a value in one sentence, in the terms of the file's author. No sentence quotes the
 * value, which may be a secret.
 */
export function describeIssues(error: z.ZodError, schema: z.ZodType): string[] {
  return error.issues.flatMap((issue) => {
    if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => unknownField(issue, key, schema))
    return [`${formatPath(issue.path)} ${issue.message}.`]
  })
}

/** A message of the schema itself takes precedence. */
export function fileIssueMessage(issue: RawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined) return 'is missing'
      if (issue.input === null) return NO_VALUE
      return `must be ${KINDS[issue.expected] ?? issue.expected}`
    case 'invalid_value':
      if (issue.input === null) return NO_VALUE
      return `must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.join(', ')}`
    case 'too_small':
      return issue.minimum === 1 && issue.origin !== 'number'
        ? 'must not be empty'
        : `must be at least ${issue.minimum}${unitOf(issue.origin)}`
    case 'too_big':
      return `must be at most ${issue.maximum}${unitOf(issue.origin)}`
    case 'invalid_format':
      return issue.format === 'url' ? 'must be an address like https://host.example' : undefined
    case 'invalid_union':
      if (issue.input === null) return NO_VALUE
      return issue.errors[0]?.[0]?.message
    default:
      return undefined
  }
}

/** What is written of a field without a value: it may have been meant to hold a restriction. */
export const NO_VALUE = 'has no value: give it one, or leave it out'

const KINDS: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a group of fields',
  record: 'a group of fields',
}

function unitOf(origin: string): string {
  if (origin === 'string') return ' characters long'
  return origin === 'array' ? ' entries long' : ''
}

function unknownField(issue: Issue, key: string, schema: z.ZodType): string {
  const suggestion = nearest(key, fieldsAt(schema, issue.path))
  const hint = suggestion === undefined ? '.' : `: is ${suggestion} meant?`
  return `${formatPath([...issue.path, key])} is not known${hint}`
}

/** The fields of a schema at a path, if it is an object there. */
function fieldsAt(schema: unknown, path: readonly PropertyKey[]): string[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault)
    return fieldsAt(schema.unwrap(), path)
  const [step, ...rest] = path
  if (schema instanceof z.ZodRecord && step !== undefined) return fieldsAt(schema.valueType, rest)
  if (!(schema instanceof z.ZodObject)) return []
  return step === undefined ? Object.keys(schema.shape) : fieldsAt(schema.shape[String(step)], rest)
}

function nearest(word: string, candidates: readonly string[]): string | undefined {
  const distances = new Map(
    candidates.map((each) => [each, editDistance(word.toLowerCase(), each.toLowerCase())]),
  )
  const first = candidates.toSorted((a, b) => (distances.get(a) ?? 0) - (distances.get(b) ?? 0))[0]
  // A larger distance is not a typing error.
  return first !== undefined && (distances.get(first) ?? 0) <= Math.max(word.length, first.length) / 2
    ? first
    : undefined
}
