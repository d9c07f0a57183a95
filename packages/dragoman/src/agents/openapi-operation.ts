import type { MiddlewareHandler } from 'hono'
import type { z } from 'zod'

import type { ErrorCode } from '../errors.ts'
import type { Json } from '../events/index.ts'

/**
 * The requests and responses of a route, as the schemas that the route itself uses. `/openapi.json` and `/docs`
 * are built from it. A field with an example in its schema (`meta({ examples })`) becomes part of the route's
 * example.
 *
 * @example
 * const operation: Operation = {
 *   group: 'dice',
 *   summary: 'Deletes a roll.',
 *   params: z.object({ id: z.string() }),
 *   responses: { 204: { description: 'It is gone.' } },
 *   errors: ['not-found'],
 * }
 */
export type Operation = {
  /** The chapter that it belongs to. */
  readonly group: string
  readonly summary: string
  /**
   * Whether a `GET` changes something or costs something. A browser's cookie alone is then not enough: other pages can
   * make a browser send a `GET`.
   */
  readonly acts?: true
  readonly description?: string
  readonly params?: z.ZodObject
  readonly query?: z.ZodObject
  /** By their names in small letters. */
  readonly headers?: z.ZodObject
  /** JSON. A body whose schema accepts `undefined` is optional. */
  readonly body?: z.ZodType
  /** multipart/form-data, in place of JSON. */
  readonly form?: z.ZodObject
  /** By status, the good ones. */
  readonly responses: Readonly<Record<number, OperationResponse>>
  /** Failures besides those that any request may meet. */
  readonly errors?: readonly ErrorCode[]
}

/**
 * One answer of a route.
 *
 * @example
 * const response: OperationResponse = { description: 'The rolls.', json: z.array(z.int()), examples: { two: [4, 2] } }
 */
export type OperationResponse = {
  readonly description: string
  /** The description of each header. */
  readonly headers?: Readonly<Record<string, string>>
  readonly json?: z.ZodType
  /** Examples of that JSON, by name. */
  readonly examples?: Readonly<Record<string, Json>>
  /** Of a body that is neither JSON nor a stream. */
  readonly contentType?: string
  /** Bodies that are written bit by bit, as one dialect writes them. */
  readonly streams?: readonly {
    readonly contentType: string
    readonly protocol: string
    readonly example: string
  }[]
}

const OPERATION = Symbol('operation')

/**
 * Describes a route. Place it before the route's handler.
 *
 * @example
 * const routes = new Hono<AppEnv>().get(
 *   '/rolls',
 *   describeRoute({
 *     group: 'dice',
 *     summary: 'The last rolls.',
 *     responses: { 200: { description: 'The rolls.', json: z.array(z.int()) } },
 *   }),
 *   (c) => c.json([4, 2]),
 * )
 */
export function describeRoute(operation: Operation): MiddlewareHandler {
  const middleware: MiddlewareHandler<{ Variables: { requireMayAct?: () => void } }> = (c, next) => {
    if (operation.acts) c.get('requireMayAct')?.()
    return next()
  }
  return Object.assign(middleware, { [OPERATION]: operation })
}

/** The operation that one of a route's handlers describes. */
export function operationOf(handler: object): Operation | undefined {
  return OPERATION in handler ? (handler[OPERATION] as Operation) : undefined
}
