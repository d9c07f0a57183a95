import type { z } from 'zod'

const KINDS: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
}

/** The message for a field whose schema has no message of its own, in place of the library's message. */
export function bodyIssueMessage(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === 'unrecognized_keys')
    return `${issue.keys.join(', ').slice(0, 100)}: there is no such field`
  if (issue.code === 'invalid_union') return 'is not as it must be'
  if (issue.code === 'too_big' && issue.origin === 'string')
    return `may have at most ${issue.maximum} characters`
  if (issue.code === 'too_small' && issue.origin === 'string' && issue.minimum === 1)
    return 'must not be empty'
  if (issue.code !== 'invalid_type') return undefined
  const kind = KINDS[issue.expected]
  if (kind === undefined) return undefined
  return issue.input === undefined ? `is required, and must be ${kind}` : `must be ${kind}`
}
