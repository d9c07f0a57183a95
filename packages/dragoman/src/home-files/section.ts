import { z } from 'zod'

import { ServiceError } from '../errors.ts'
import type { Json } from '../events/index.ts'
import { mistakes, wording } from './mistakes.ts'

/** Reads what `config.yaml` says under a name, where it says something. @throws ServiceError `invalid-request` that names each field that is wrong, and quotes none */
export function readSection<S extends z.ZodType>(
  name: string,
  said: Json,
  schema: S,
): z.infer<S> | undefined {
  return said === null ? undefined : readGroup(name, said, schema)
}

/** Likewise of a part of it, which sentences call by `name`. */
export function readGroup<S extends z.ZodType>(name: string, said: Json, schema: S): z.infer<S> {
  const result = schema.safeParse(said, { error: wording })
  if (result.success) return result.data
  const issues = result.error.issues.map((issue) => Object.assign(issue, { path: [name, ...issue.path] }))
  throw new ServiceError(
    'invalid-request',
    mistakes(new z.ZodError(issues), z.object({ [name]: schema })).join(' '),
  )
}
