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

export function formatTime(ms: number, language: Language): string {
  return new Intl.DateTimeFormat(language, { timeStyle: 'medium' }).format(ms)
}
