/**
 * What stopped a run if its user did not ask for it: its page went away, a new message took its place, or its
 * conversation was deleted.
 */
export type StopReason = 'page' | 'message' | 'deletion'
