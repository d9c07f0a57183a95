import { z } from 'zod'

import { ServiceError } from '../errors.ts'
import { findMisspelled } from '../home-files/index.ts'

/** A number or a boolean may be a text, if it came from a variable. */
const number = z.preprocess(
  (value) => (typeof value === 'string' && value.trim() !== '' ? Number(value) : value),
  z.number().min(0),
)
const flag = z.union([z.boolean(), z.stringbool()])
const text = z.string().trim()
const nonEmptyText = text.min(1)
const names = z.union([nonEmptyText.transform((one) => [one]), z.array(nonEmptyText)])

const provider = z.looseObject({
  name: text.exactOptional(),
  base_url: text.exactOptional(),
  api_key_env: text.exactOptional(),
  /** Keys themselves belong in the environment. */
  api_key: z.literal('none').exactOptional(),
  enabled: flag.default(true),
  /** Idle timeout in seconds; 0: none. At most a day, because of the limits of timers. */
  timeout: number.pipe(z.number().max(86_400)).exactOptional(),
  api: z.enum(['anthropic', 'openai', 'google', 'chat', 'responses']).exactOptional(),
  /** Whether OpenAI stores the answers. Only of responses. */
  store: flag.default(false),
  api_protocol: z.enum(['anthropic', 'openai', 'google', 'chat', 'responses']).exactOptional(),
  backup_urls: z.array(nonEmptyText).default([]),
  backup_key_env: text.exactOptional(),
})

const model = z.looseObject({
  provider: nonEmptyText,
  model_name: nonEmptyText,
  /** Tokens that it can read. */
  context_window: number.pipe(z.number().int().min(1)).exactOptional(),
  /** Names of the tags around the thoughts in its text. */
  reasoning_tags: z
    .array(text.regex(/^[\w:.-]{1,50}$/, 'must be names of tags, without brackets'))
    .exactOptional(),
  /** Whether its template opens such a tag, so that an answer begins within its thoughts. */
  reasoning_opened: flag.exactOptional(),
  capabilities: z.array(z.string()).default([]),
  tier: text.exactOptional(),
})

const task = z.looseObject({ primary: nonEmptyText, fallback: names.default([]) })

const triggers = z.looseObject({
  on_api_error: flag.default(true),
  on_quota_exceeded: flag.default(true),
  /** Whether a slow model triggers the fallback, or after how many seconds. */
  timeout: z.union([flag, number.pipe(z.number().max(86_400))]).default(true),
  max_retries: number.pipe(z.number().int().max(10)).exactOptional(),
})

const file = z.looseObject({
  providers: z.record(nonEmptyText, provider).default({}),
  models: z.record(nonEmptyText, model).default({}),
  defaults: z.record(nonEmptyText, task).default({}),
  env_mapping: z.record(nonEmptyText, nonEmptyText).default({}),
  global_fallback: names.default([]),
  fallback_triggers: triggers.default(triggers.parse({})),
})

/** The parsed `models.yaml`, with its variables expanded. Unknown fields are kept, to report them. */
export const modelsFileSchema = z.preprocess((read) => withoutNulls(read ?? {}), file)
export type ModelsFile = z.output<typeof file>
export type FileProvider = ModelsFile['providers'][string]

/** YAML's `models:` with nothing after it is null, and means nothing. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(([, field]) => field !== null)
  return Object.fromEntries(entries.map(([key, field]) => [key, withoutNulls(field)]))
}

/**
 * The fields of the file without effect, such as `providers.claude.test_endpoint`.
 * @throws ServiceError `invalid-request` for one that seems to switch something off or to limit it, but is misspelled
 * or in the wrong place
 */
export function unusedFields(read: ModelsFile): string[] {
  const inEach = (section: 'providers' | 'models' | 'defaults', fields: object): string[] =>
    Object.entries(read[section]).flatMap(([id, entry]) => unknownFields(entry, fields, `${section}.${id}.`))
  return [
    ...unknownFields(read, file.shape, ''),
    ...inEach('providers', provider.shape),
    ...inEach('models', model.shape),
    ...inEach('defaults', task.shape),
    ...unknownFields(read.fallback_triggers, triggers.shape, 'fallback_triggers.'),
  ]
}

const RESTRICTIONS = ['enabled', 'timeout', 'fallback_triggers', ...Object.keys(triggers.shape)]

function unknownFields(entry: object, fields: object, path: string): string[] {
  const unknown = Object.keys(entry).filter((key) => !Object.hasOwn(fields, key))
  return unknown.map((key) => {
    const field = `${path}${key}`
    const misspelled = findMisspelled(key, Object.keys(fields))
    if (misspelled !== undefined) throw invalidField(field, `is not known: is ${misspelled} meant?`)
    if (findMisspelled(key, RESTRICTIONS) === undefined) return field
    throw invalidField(field, 'has no effect at this place.')
  })
}

function invalidField(field: string, problem: string): ServiceError {
  return new ServiceError('invalid-request', `models.yaml: ${field} ${problem} Correct it or take it out.`)
}
