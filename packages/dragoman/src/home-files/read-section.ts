import { z } from 'zod'

import { ServiceError } from '../errors.ts'
import type { Json } from '../events/index.ts'
import { describeIssues, fileIssueMessage } from './describe-issues.ts'

/** Reads what `config.yaml` says under a name, where it says something. @throws ServiceError `invalid-request` that names each field that is wrong, and quotes none */
export function readSection<S extends z.ZodType>(
  name: string,
  value: Json,
  schema: S,
): z.infer<S> | undefined {
  return value === null ? undefined : readGroup(name, value, schema)
}

/** Likewise of a part of it, which sentences call by `name`. */
export function readGroup<S extends z.ZodType>(name: string, value: Json, schema: S): z.infer<S> {
  const result = schema.safeParse(value, { error: fileIssueMessage })
  if (result.success) return result.data
  const issues = result.error.issues.map((issue) => Object.assign(issue, { path: [name, ...issue.path] }))
  throw new ServiceError(
    'invalid-request',
    describeIssues(new z.ZodError(issues), z.object({ [name]: schema })).join(' '),
  )
}
