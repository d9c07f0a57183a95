import type { Language } from './languages.ts'

const UNITS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const

/** How long ago a time was, such as "5 minutes ago". */
export function formatAge(iso: string, language: Language, now = Date.now()): string {
  const seconds = Math.max(0, Math.round((now - Date.parse(iso)) / 1000))
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'auto', style: 'short' })
  for (const [unit, length] of UNITS)
    if (seconds >= length) return format.format(-Math.floor(seconds / length), unit)
  return format.format(0, 'second')
}

export function formatNumber(value: number, language: Language): string {
  return new Intl.NumberFormat(language).format(value)
}

const SIZES = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const

/** A size, such as "1.5 MB". */
export function formatBytes(bytes: number, language: Language): string {
  const step = Math.min(SIZES.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10))
  const format = new Intl.NumberFormat(language, {
    style: 'unit',
    unit: SIZES[step] ?? 'byte',
    maximumFractionDigits: step < 2 ? 0 : 1,
  })
  return format.format(bytes / 1024 ** step)
}

export function formatTime(ms: number, language: Language): string {
  return new Intl.DateTimeFormat(language, { timeStyle: 'medium' }).format(ms)
}
