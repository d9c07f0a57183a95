import { ServiceError } from '../../errors.ts'

/**
 * A position among a run's frames: all entries up to `seq`, and `frames` of the next. With `atStep`, the reader gets
 * nothing before the next step starts.
 */
export type Cursor = { readonly seq: number; readonly frames: number; readonly atStep?: true }

export const startCursor: Cursor = { seq: 0, frames: 0 }

/** The cursor of a frame: `seq` for the last frame of an entry, `seq.k` for the k-th frame before it. */
export function formatFrameCursor(seq: number, index: number, count: number): string {
  return index === count - 1 ? String(seq) : `${seq}.${index + 1}`
}

/** The cursor as clients send it back. */
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
