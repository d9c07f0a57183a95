import { z } from 'zod'

const DAY = z.iso.date()
const MOMENT = z.iso.datetime({ offset: true, local: true })

/** A day or a time as an ISO string in UTC. A time without a zone is in UTC. */
function isoMoment(text: string): string | undefined {
  if (DAY.safeParse(text).success) return `${text}T00:00:00.000Z`
  if (!MOMENT.safeParse(text).success) return undefined
  const zoned = /(?:Z|[+-]\d\d:?\d\d)$/.test(text) ? text : `${text}Z`
  const time = new Date(zoned)
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString()
}

/** A time in a body. */
export function timeField(field: string) {
  const error = `${field} must be an ISO time, as 2026-12-01 or 2026-12-01T09:00:00Z`
  return z
    .string({ error })
    .refine((text) => isoMoment(text.trim()) !== undefined, { error })
    .transform((text) => isoMoment(text.trim()) ?? '')
}
