/** A time in the zone of this machine, such as `2026-11-27 09:05`. */
export function formatTime(iso: string): string {
  const date = new Date(iso)
  const two = (value: number): string => String(value).padStart(2, '0')
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('-')
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`
}
