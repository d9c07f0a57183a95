import { z } from 'zod'

import { ServiceError } from '../errors.ts'
import type { Json } from '../events/index.ts'
import { describeIssues, fileIssueMessage } from './describe-issues.ts'

/**
 * Reads a section of `config.yaml`, if it is set.
 * @throws ServiceError `invalid-request` that names each wrong field and quotes none
 */
export function readSection<S extends z.ZodType>(
  name: string,
  value: Json,
  schema: S,
): z.infer<S> | undefined {
  return value === null ? undefined : readGroup(name, value, schema, 'config.yaml: ')
}

/** Reads a part of a section. Error messages begin with `file`, and call the part `name`. */
export function readGroup<S extends z.ZodType>(name: string, value: Json, schema: S, file = ''): z.infer<S> {
  const result = schema.safeParse(value, { error: fileIssueMessage })
  if (result.success) return result.data
  const issues = result.error.issues.map((issue) => Object.assign(issue, { path: [name, ...issue.path] }))
  throw new ServiceError(
    'invalid-request',
    file + describeIssues(new z.ZodError(issues), z.object({ [name]: schema })).join(' '),
  )
}
