import type { Posting } from '../src/postings/posting.ts'

export type Status = Posting['status']

/** In the order of the board's columns. */
export const statuses = ['inbox', 'applied', 'interviewing', 'offer', 'rejected', 'skipped'] as const

/** The status to the left (-1) or right (1) of one; undefined at an edge. */
export function neighborOf(status: Status, step: -1 | 1): Status | undefined {
  return statuses[statuses.indexOf(status) + step]
}
