/**
 * The reason why a tool failed. The model, the log and the clients read the message. With `internal` they read a fixed
 * sentence, and only the process logs the message.
 *
 * @example
 * ```ts
 * const book = defineTool({
 *   name: 'book',
 *   description: 'Books a table.',
 *   inputSchema: z.object({ seats: z.int() }),
 *   execute: async ({ seats }) => {
 *     if (seats > 12) throw new ToolError('At most 12 seats can be booked at once.')
 *     return await restaurant.book(seats).catch((cause) => {
 *       throw new ToolError('The restaurant refused its API key.', { internal: true, cause })
 *     })
 *   },
 * })
 * ```
 */
export class ToolError extends Error {
  readonly internal: boolean

  constructor(message: string, { internal = false, ...options }: ErrorOptions & { internal?: boolean } = {}) {
    super(message, options)
    this.name = 'ToolError'
    this.internal = internal
  }
}
