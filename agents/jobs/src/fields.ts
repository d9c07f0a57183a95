import { z } from 'zod'

/** How the jobs agent's routes read what they are sent: each complaint names its field. */

/** A row has no larger number, and an offset needs none. */
export const MAX_INTEGER = Number.MAX_SAFE_INTEGER

export const CONTROLS = /\p{Cc}+/gu
/** In a text of several lines, breaks and tabs have their place. */
export const CONTROLS_BUT_BREAKS = /[^\P{Cc}\t\r\n]+/gu

/** A text that must be there; a number in its place is a wrong type, not a missing text. */
export function requiredText(field: string, missing = `${field} is required`): z.ZodType<string> {
  const wrong = `${field} must be a text`
  return z
    .string({ error: ({ input }) => (input === undefined || input === null ? missing : wrong) })
    .transform((text) => text.trim())
    .refine((text) => text !== '', { error: missing })
}

/** The same on one line, without control characters. */
export function neededLine(field: string, most: number, missing = `${field} is required`): z.ZodType<string> {
  return requiredText(field, missing)
    .transform((text) => text.replace(CONTROLS, ' ').trim())
    .refine((text) => text !== '', { error: missing })
    .refine(...noLonger(field, most))
}

export function optionalText(
  field: string,
  most: number,
  controls = CONTROLS,
): z.ZodType<string | undefined> {
  return z
    .string({ error: `${field} must be a text` })
    .nullish()
    .transform((text) => text?.replace(controls, ' ').trim() || undefined)
    .refine(...noLonger(field, most))
}

export function noLonger(
  field: string,
  most: number,
): [(text: string | undefined) => boolean, { error: () => string }] {
  const error = (): string => `${field} may have at most ${most.toLocaleString('en-US')} characters`
  return [(text) => (text?.length ?? 0) <= most, { error }]
}

/** An id in a path. `missing` is the sentence for what is no number. */
export function idField(missing: string) {
  return (
    z
      .string()
      .regex(/^\d+$/, missing)
      // No row has a larger id than we can count to.
      .transform((text) => Math.min(Number(text), MAX_INTEGER))
      .pipe(z.int())
      .meta({ examples: [1] })
  )
}

/** An id in a body. Some clients send 0 for none. */
export function idInBody(field: string) {
  const error = `${field} must be a positive whole number`
  return z
    .int(error)
    .nonnegative(error)
    .transform((id) => (id === 0 ? undefined : id))
    .nullish()
}

/** An id in a query. A form sends what is not filled in as an empty text; some clients send 0. */
export function idInQuery(field: string, { zeroIsNone = false }: { readonly zeroIsNone?: boolean } = {}) {
  return z
    .string()
    .regex(zeroIsNone ? /^\d*$/ : /^(?:0*[1-9]\d*)?$/, `${field} must be a positive whole number`)
    .transform((text) => (Number(text) === 0 ? undefined : Math.min(Number(text), MAX_INTEGER)))
    .pipe(z.int().positive().optional())
    .optional()
}

/** A whole number in a query. One that is too large counts as the largest. */
export function count(field: string, [least, most, usual]: readonly [number, number, number]) {
  const range = most === MAX_INTEGER ? `${least} or more` : `from ${least} to ${most}`
  const error = `${field} must be a whole number, ${range}`
  return z
    .string()
    .regex(/^\d+$/, error)
    .transform(Number)
    .pipe(
      z
        .number(error)
        .min(least, error)
        .overwrite((value) => Math.min(value, most)),
    )
    .default(usual)
}

const PAGE = { usual: 20, most: 100 } as const

/** The size of a page, in a query. One out of its range counts as the nearer end, an empty one as none. */
export const pageSize = z
  .string()
  .regex(/^(?:-?\d+)?$/, `limit must be a whole number, from 1 to ${PAGE.most}`)
  .transform((text) => (text === '' ? PAGE.usual : Math.min(Math.max(Number(text), 1), PAGE.most)))
  .default(PAGE.usual)

/** How many, in a body. One out of its range counts as the nearer end. */
export function limitInBody(most: number) {
  return z
    .int(`limit must be a whole number, from 1 to ${most}`)
    .overwrite((limit) => Math.min(Math.max(limit, 1), most))
    .nullish()
}
