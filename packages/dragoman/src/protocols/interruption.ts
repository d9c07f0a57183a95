/** What a reader is told whose body is cut off before the answer has ended. */
export const INTERRUPTION =
  'The connection to the server was cut off before the answer had ended. The answer goes on: load it again.'
