import { ServiceError } from '../../errors.ts'
import { entryMark, type LogEntry } from '../../events/index.ts'

/**
 * A position among a run's frames: all entries up to `seq`, and `frames` of the next. With `atStep`, the reader gets
 * nothing before the next step starts. `mark` is that of the last entry of which the reader has something.
 */
export type Cursor = {
  readonly seq: number
  readonly frames: number
  readonly atStep?: true
  readonly mark?: string
}

export const startCursor: Cursor = { seq: 0, frames: 0 }

/** The cursor of a frame: `seq` for the last frame of an entry, `seq.k` for the k-th frame before it; then its mark. */
export function formatFrameCursor(entry: LogEntry, index: number, count: number): string {
  const place = index === count - 1 ? String(entry.seq) : `${entry.seq}.${index + 1}`
  return `${place}-${entryMark(entry)}`
}

/** The cursor as clients send it back. */
export function formatCursor({ seq, frames, atStep, mark }: Cursor): string {
  const end = mark === undefined ? '' : `-${mark}`
  if (atStep) return `${seq}.s${end}`
  return `${frames === 0 ? seq : `${seq + 1}.${frames}`}${end}`
}

/** The last entry of which the reader has something. */
export function lastEntryOf({ seq, frames }: Cursor): number {
  return frames > 0 ? seq + 1 : seq
}

/** The entry up to which a cursor says that its reader has everything. @throws ServiceError `invalid-request` */
export function cursorSeq(text: string): number {
  return parseCursor(text).seq
}

/** @throws ServiceError `invalid-request` */
export function parseCursor(text: string): Cursor {
  const match = /^(\d{1,15})(?:\.(\d{1,6}|s))?(?:-([\da-z]{1,7}))?$/.exec(text)
  if (!match) {
    throw new ServiceError(
      'invalid-request',
      `Last-Event-ID (or after) must be a cursor like 12-1a2b3c or 12.1-1a2b3c, not "${text.slice(0, 40)}".`,
    )
  }
  const [, seq, frames, mark] = match
  const ofEntry = mark === undefined ? {} : { mark }
  if (frames === 's') return { seq: Number(seq), frames: 0, atStep: true, ...ofEntry }
  return frames === undefined
    ? { seq: Number(seq), frames: 0, ...ofEntry }
    : { seq: Number(seq) - 1, frames: Number(frames), ...ofEntry }
}
