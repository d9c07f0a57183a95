import { z } from 'zod'

import { anyJson } from 'dragoman/protocols'
import { ServiceError } from 'dragoman/errors'
import { isJsonObject, type Json } from 'dragoman/events'
import { quoteUntrustedPage } from '@dragoman/agent-kit/text/quote-untrusted-page'
import { languages, languageTag } from './language.ts'
import { voices } from './voice.ts'
import { isZone } from './time-zone.ts'

/** What a client sends with a message, in any protocol. */
export const lifeContext = z.looseObject({
  /** A skill that the client presets. */
  skill: z.string().max(500).nullish(),
  /** The skills that `use_skill` has switched to in this conversation. */
  skills: z.array(z.string().max(64)).max(8).optional(),
  voiceMode: z.enum(voices, `must be one of ${voices.join(', ')}`).nullish(),
  language: languageTag('').nullish(),
  /** The language of the message before. The server stores it on the thread. */
  lastLanguage: z.enum(languages).optional().catch(undefined),
  /** IANA. */
  timeZone: z.string().max(64).refine(isZone, 'must be an IANA time zone like Asia/Shanghai').nullish(),
  scenario: z.string().max(500).nullish(),
  /** A filled form of `request_info`, by the ids of its fields. */
  form: z.record(z.string().max(64), anyJson).nullish(),
  /** When the server asked for a confirmation of the deletion, ISO 8601. */
  deletionAskedAt: z.string().max(40).optional(),
  /** Set if the message confirms the deletion. */
  deletion: z.literal('confirmed').optional().catch(undefined),
  /** The type of the form that the server has stored. */
  formSaved: z.string().optional(),
})
export type LifeContext = z.infer<typeof lifeContext>

/**
 * Validates a context. Moves up the fields that AG-UI clients send in `forwardedProps`. @throws ServiceError
 * `invalid-request`
 */
export function readContext(context: Json): LifeContext {
  const { context: own, forwarded } = unpackForwardedProps(context)
  const read = lifeContext.safeParse(own)
  if (read.success) return read.data
  const [issue] = read.error.issues
  const path = (issue?.path ?? []).map(String)
  const place = forwarded.has(path[0] ?? '') ? 'forwardedProps' : 'context'
  throw new ServiceError('invalid-request', `${place}.${path.join('.')}: ${issueText(issue)}`)
}

function issueText(issue: z.core.$ZodIssue | undefined): string {
  if (issue?.code !== 'invalid_type') return issue?.message ?? 'is wrong'
  return issue.expected === 'record' ? 'must be an object' : `must be of the type ${issue.expected}`
}

function unpackForwardedProps(context: Json): {
  readonly context: Json
  readonly forwarded: ReadonlySet<string>
} {
  const props = isJsonObject(context) ? context['forwardedProps'] : undefined
  if (!isJsonObject(context) || !isJsonObject(props)) return { context: context ?? {}, forwarded: new Set() }
  const forwarded = new Set(Object.keys(props).filter((field) => Object.hasOwn(lifeContext.shape, field)))
  const fields = (isOurs: boolean) =>
    Object.fromEntries(Object.entries(props).filter(([field]) => forwarded.has(field) === isOurs))
  const { forwardedProps: _, ...others } = context
  const remaining = fields(false)
  const forwardedProps = Object.keys(remaining).length > 0 ? { forwardedProps: remaining } : {}
  return { context: { ...others, ...forwardedProps, ...fields(true) }, forwarded }
}

/** The preset skill and those of `use_skill`. */
export function activeSkills({ skill, skills = [] }: LifeContext): string[] {
  return [...new Set([...(skill ? [skill] : []), ...skills])]
}

/** The lines before the user's message: a stored form, a deletion, the scenario, the page. */
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
