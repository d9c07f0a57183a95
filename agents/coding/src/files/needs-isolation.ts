/** Work of this size in characters takes the event loop for some ms. */
export const MAX_SMALL_SIZE = 32 * 1024

/** What an operation on a text throws where it would stand the event loop for too long. */
export class NeedsIsolation extends Error {}
