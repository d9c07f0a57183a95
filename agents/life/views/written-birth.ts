import type { Birth } from '../src/birth/birth.ts'

/** As its user may write it: 1990-05-02, and "leap" for the second month of a number. */
export function writtenDate({ date }: Birth): string {
  const { year, month, day, leap } = date
  return `${year}-${twoDigits(month)}-${twoDigits(day)}${leap === true ? ' leap' : ''}`
}

export function writtenTime({ time }: Birth): string {
  return time ? `${twoDigits(time.hour)}:${twoDigits(time.minute)}` : ''
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0')
}
