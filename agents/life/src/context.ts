import { z } from 'zod'

import { ServiceError } from 'dragoman/errors'
import { isJsonObject, type Json } from 'dragoman/events'
import { quoteUntrustedPage } from '@dragoman/agent-kit/text/quote-untrusted-page'
import { languages } from './language.ts'
import { voices } from './voice.ts'
import { isZone } from './time-zone.ts'

/** What a client says beside the message, whatever protocol it comes in. */
export const lifeContext = z.looseObject({
  /** A skill that the client presets. */
  skill: z.string().min(1).max(64).nullish(),
  /** Those that `use_skill` has switched to in this conversation. */
  skills: z.array(z.string().max(64)).max(8).optional(),
  voiceMode: z.enum(voices, `must be one of ${voices.join(', ')}`).nullish(),
  language: z.enum(languages, `must be one of ${languages.join(', ')}`).nullish(),
  /** IANA. */
  timeZone: z.string().max(64).refine(isZone, 'must be an IANA time zone like Asia/Shanghai').nullish(),
  scenario: z.string().max(500).nullish(),
  /** A form that `request_info` had opened, filled in: by its fields' ids. */
  form: z.record(z.string().max(64), z.json()).nullish(),
  /** When the user was asked to confirm that their data be deleted, ISO 8601. */
  deletionAskedAt: z.string().max(40).optional(),
  /** The user has just confirmed it. */
  deletion: z.literal('confirmed').optional().catch(undefined),
  /** Which form that was, once what it says has been kept. */
  formSaved: z.string().optional(),
})
export type LifeContext = z.infer<typeof lifeContext>

/**
 * What it is, also where AG-UI’s clients say it: in `forwardedProps`, which then no longer has it. @throws ServiceError
 * `invalid-request`
 */
export function readContext(context: Json): LifeContext {
  const { told, forwarded } = unpacked(context)
  const read = lifeContext.safeParse(told)
  if (read.success) return read.data
  const [issue] = read.error.issues
  const path = (issue?.path ?? []).map(String)
  const place = forwarded.has(path[0] ?? '') ? 'forwardedProps' : 'context'
  throw new ServiceError('invalid-request', `${place}.${path.join('.')}: ${wordsOf(issue)}`)
}

function wordsOf(issue: z.core.$ZodIssue | undefined): string {
  if (issue?.code !== 'invalid_type') return issue?.message ?? 'is wrong'
  return issue.expected === 'record' ? 'must be an object' : `must be of the type ${issue.expected}`
}

function unpacked(context: Json): { readonly told: Json; readonly forwarded: ReadonlySet<string> } {
  const props = isJsonObject(context) ? context['forwardedProps'] : undefined
  if (!isJsonObject(context) || !isJsonObject(props)) return { told: context ?? {}, forwarded: new Set() }
  const forwarded = new Set(Object.keys(props).filter((field) => Object.hasOwn(lifeContext.shape, field)))
  const fields = (isOurs: boolean) =>
    Object.fromEntries(Object.entries(props).filter(([field]) => forwarded.has(field) === isOurs))
  const { forwardedProps: _, ...others } = context
  const remaining = fields(false)
  const forwardedProps = Object.keys(remaining).length > 0 ? { forwardedProps: remaining } : {}
  return { told: { ...others, ...forwardedProps, ...fields(true) }, forwarded }
}

/** What the client presets, and what was switched to. */
export function activeSkills({ skill, skills = [] }: LifeContext): string[] {
  return [...new Set([...(skill ? [skill] : []), ...skills])]
}

/** What goes before the user's words: that a form has come with them, and what the page says of itself. */
export function formatContext(context: Json): string[] {
  const { formSaved, scenario, deletion } = readContext(context)
  return [
    ...(formSaved
      ? [`[Context: The user has filled in the form "${formSaved}"; what it says is saved.]`]
      : []),
    ...(deletion ? [`[Context: The user has confirmed that all of their data be deleted.]`] : []),
    ...(scenario ? [`[Context: The client is in the scenario ${JSON.stringify(scenario)}.]`] : []),
    ...quoteUntrustedPage(context),
  ]
}
