import { ServiceError } from '../../errors.ts'
import type { Json } from '../../events/index.ts'

/** The deepest JSON that a body may hold. Deeper values would overflow the stack of code that walks them. */
export const MAX_JSON_LEVELS = 200

/**
 * Refuses JSON that is nested deeper than any schema needs, because recursive code would overflow. Also refuses
 * bytes, which are not JSON.
 * @throws ServiceError `invalid-request`
 */
export function limitJsonDepth(body: Json): Json {
  let level: object[] = isNested(body) ? [body] : []
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_JSON_LEVELS)
      throw new ServiceError('invalid-request', `The body is nested deeper than ${MAX_JSON_LEVELS} levels.`)
    const next: object[] = []
    for (const value of level) collectNested(value, next)
    level = next
  }
  return body
}

function collectNested(value: object, nested: object[]): void {
  for (const item of Object.values(value)) {
    if (ArrayBuffer.isView(item))
      throw new ServiceError('invalid-request', 'Bytes are sent as text in base64.')
    if (isNested(item)) nested.push(item)
  }
}

function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
