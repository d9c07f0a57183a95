import { ServiceError } from '../../errors.ts'

/**
 * A place among a run's frames: all of the entries up to `seq`, and `frames` of the next. `atStep`: of one who has none of what is open
 * there, and is told what comes from the next step on.
 */
export type Cursor = { readonly seq: number; readonly frames: number; readonly atStep?: true }

export const startCursor: Cursor = { seq: 0, frames: 0 }

/** The name of a frame: its entry's `seq` for an entry's last frame, `seq.k` for the k-th of those before. */
export function formatFrameCursor(seq: number, index: number, count: number): string {
  return index === count - 1 ? String(seq) : `${seq}.${index + 1}`
}

/** The name by which a client gives a place back. */
export function formatCursor({ seq, frames, atStep }: Cursor): string {
  if (atStep) return `${seq}.s`
  return frames === 0 ? String(seq) : `${seq + 1}.${frames}`
}

/** @throws ServiceError `invalid-request` */
export function parseCursor(text: string | undefined): Cursor | undefined {
  if (text === undefined || text === '') return undefined
  const [, seq, frames] = /^(\d{1,15})(?:\.(\d{1,6}|s))?$/.exec(text) ?? []
  if (seq === undefined) {
    throw new ServiceError(
      'invalid-request',
      `Last-Event-ID (or after) must be a cursor like 12 or 12.1, not "${text.slice(0, 40)}".`,
    )
  }
  if (frames === 's') return { seq: Number(seq), frames: 0, atStep: true }
  return frames === undefined
    ? { seq: Number(seq), frames: 0 }
    : { seq: Number(seq) - 1, frames: Number(frames) }
}
