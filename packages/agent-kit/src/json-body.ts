import type { Context, MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import type { z } from 'zod'

import { ServiceError } from 'dragoman/errors'
import { limitJsonSize } from './limit-json-size.ts'

/** How routes of capabilities read what they are sent. */

/** Reads a JSON body; `mistake` adds the place where it is none. @throws ServiceError `invalid-request` with the first thing that is wrong with it */
export async function readJsonBody<S extends z.ZodType>(
  c: Context,
  schema: S,
  describeError: (text: string) => string = () => '',
): Promise<z.infer<S>> {
  const bytes = await c.req.arrayBuffer()
  // It was refused meanwhile, as too slow: whoever was told so must not find it done.
  if (c.error) throw c.error
  await limitJsonSize(new Uint8Array(bytes))
  return validateBody(schema, parseJson(decodeUtf8(bytes), describeError))
}

/** The same, where all fields may be left out, and so the body. */
export async function readOptionalJsonBody<S extends z.ZodType>(c: Context, schema: S): Promise<z.infer<S>> {
  const { byteLength } = await c.req.arrayBuffer()
  return byteLength === 0 ? validateBody(schema, {}) : readJsonBody(c, schema)
}

/** Only the first mistake is told: a body may have a hundred thousand. */
const FIRST_ISSUE_ONLY: z.core.ParseContextInternal<z.core.$ZodIssue> = { abortEarly: true }

/** Checks what came. @throws ServiceError `invalid-request` with the first thing that is wrong with it */
export function validateBody<S extends z.ZodType>(schema: S, value: unknown): z.infer<S> {
  const result = schema.safeParse(value, FIRST_ISSUE_ONLY)
  if (result.success) return result.data
  const issue = result.error.issues[0]
  throw new ServiceError(
    'invalid-request',
    issue && issue.path.length > 0 ? issue.message : 'The body must be a JSON object',
  )
}

/** Words that we cannot read are not kept with holes in them. */
function decodeUtf8(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw new ServiceError('invalid-request', 'The body is not UTF-8', { cause })
  }
}

function parseJson(body: string, describeError: (text: string) => string): unknown {
  try {
    return JSON.parse(body)
  } catch (cause) {
    throw new ServiceError('invalid-request', `Invalid JSON${describeError(body)}`, { cause })
  }
}

/** Counts what comes, whether or not its length was announced, before anything reads it. */
export function limitBodySize(maxSize: number, message: string): MiddlewareHandler {
  return bodyLimit({
    maxSize,
    onError: () => {
      throw new ServiceError('too-large', message)
    },
  })
}
