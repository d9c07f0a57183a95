import type { Json } from '../events/index.ts'
import type { InputSchema } from './input-schema.ts'

/**
 * A question of a tool to its user.
 *
 * @example
 * ```ts
 * const book = defineTool({
 *   name: 'book',
 *   description: 'Books a table.',
 *   inputSchema: z.object({ seats: z.int() }),
 *   async execute({ seats }, { ask }) {
 *     const { time } = await ask({ message: 'When?', schema: z.object({ time: z.enum(['18:00', '20:00']) }) })
 *     return await restaurant.book({ seats, time })
 *   },
 * })
 * ```
 */
export type UserQuestion<Value = Json> = {
  readonly message: string
  /** Any schema that has a JSON form, or a JSON schema. */
  readonly schema: InputSchema<Value> | { readonly [keyword: string]: Json }
  /** By default as long as the tool's approval. */
  readonly answerWithinMs?: number
  /**
   * The tool keeps working while it waits, because it cannot be called again. If the server ends meanwhile, the
   * outcome of the call is unknown.
   */
  readonly inPlace?: boolean
}
