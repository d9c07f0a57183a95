import type { Context, MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import type { z } from 'zod'

import { ServiceError } from 'dragoman/errors'
import { readBodyText } from 'dragoman/http'

/** Reads the JSON bodies of agents' routes. */

/**
 * Reads a JSON body. `describeError` adds the position of a syntax error.
 * @throws ServiceError `invalid-request` with the first issue
 */
export async function readJsonBody<S extends z.ZodType>(
  c: Context,
  schema: S,
  describeError?: (text: string) => string,
): Promise<z.infer<S>> {
  return validateBody(schema, parseJson(await readBodyText(c, Infinity), describeError))
}

/** Reads a JSON body that may be empty, because all its fields are optional. */
export async function readOptionalJsonBody<S extends z.ZodType>(c: Context, schema: S): Promise<z.infer<S>> {
  const text = await readBodyText(c, Infinity)
  return validateBody(schema, text === '' ? {} : parseJson(text))
}

/** Reports only the first issue: a body may have a hundred thousand. */
const FIRST_ISSUE_ONLY: z.core.ParseContextInternal<z.core.$ZodIssue> = { abortEarly: true }

/** Validates a value. @throws ServiceError `invalid-request` with the first issue, and its field in `details` */
export function validateBody<S extends z.ZodType>(schema: S, value: unknown): z.infer<S> {
  const result = schema.safeParse(value, FIRST_ISSUE_ONLY)
  if (result.success) return result.data
  const issue = result.error.issues[0]
  if (issue?.code === 'unrecognized_keys')
    throw new ServiceError('invalid-request', `There is no field ${issue.keys.join(', ').slice(0, 100)}`)
  if (!issue || issue.path.length === 0)
    throw new ServiceError('invalid-request', 'The body must be a JSON object')
  throw new ServiceError('invalid-request', issue.message, { details: { field: issue.path.join('.') } })
}

function parseJson(body: string, describeError: (text: string) => string = () => ''): unknown {
  try {
    return JSON.parse(body)
  } catch (cause) {
    throw new ServiceError('invalid-request', `Invalid JSON${describeError(body)}`, { cause })
  }
}

/** Limits the size of a body, with or without a content-length, before any other code reads it. */
export function limitBodySize(maxSize: number, message: string): MiddlewareHandler {
  return bodyLimit({
    maxSize,
    onError: () => {
      throw new ServiceError('too-large', message)
    },
  })
}
