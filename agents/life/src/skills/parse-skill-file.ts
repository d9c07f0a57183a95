import { z } from 'zod'

import { ServiceError } from 'dragoman/errors'
import { toSingleLine } from '@dragoman/agent-kit/text/to-single-line'
import { languageIn } from '../language.ts'
import type { Skill } from './skill.ts'
import { readYamlParts } from './read-yaml-parts.ts'

/** In bytes, of the whole file. */
export const MAX_SKILL_BYTES = 64 * 1024
const MAX_LINES = 500
/** In characters: all that its fields may have fits. */
const MAX_FRONTMATTER_LENGTH = 8000
const MAX_DESCRIPTION_LENGTH = 1024
const MAX_TRIGGERS_LENGTH = 200

const text = (most: number) =>
  z
    .string('must be a text')
    .trim()
    .min(1, 'must not be empty')
    .max(most, `must be at most ${most} characters`)

/** What `use_skill`, a client and a folder may call a skill. */
const identifier = text(64).regex(
  /^[a-z0-9]+(?:[-_][a-z0-9]+)*$/,
  'must be of a to z, digits and single hyphens or underscores',
)

/**
 * https://agentskills.io/specification, and what other skills have: `id` and a `name` in any language, and
 * `triggers`. What is not in it is passed over. Values of `metadata` may stand there without quotes.
 */
const fields = {
  id: identifier,
  name: text(200),
  description: text(MAX_TRIGGERS_LENGTH * 50),
  triggers: z.array(z.coerce.string(), 'must be a list of texts'),
  metadata: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]).transform(String), {
    error: 'must be a map of names to texts',
  }),
}
type Fields = { [Field in keyof typeof fields]?: z.infer<(typeof fields)[Field]> }

type ParsedSkill = Pick<Skill, 'name' | 'description' | 'body' | 'core' | 'title'> & {
  /** What is wrong with parts of it, which have no effect. */
  readonly notes: readonly string[]
}

/** What `SKILL.md` says. @throws ServiceError `invalid-input` if there are no instructions in it */
export async function parseSkillFile(folderName: string, source: string): Promise<ParsedSkill> {
  const notes: string[] = []
  const { frontmatter, rest } = parts(source, notes)
  const read = await readYamlParts(frontmatter)
  notes.push(...read.notes.map((note) => `frontmatter: ${note}`))
  const found = fieldsIn(read.value, notes)
  const body = rest.replaceAll('\r\n', '\n').trim()
  if (body === '')
    throw new ServiceError('invalid-input', 'SKILL.md has no instructions below its frontmatter')
  const lines = body.split('\n').length
  if (lines >= MAX_LINES)
    notes.push(`${lines} lines are many for the model: put what is not always needed into references/`)
  const name = nameOf(found, folderName, notes)
  const title = titleOf(found, name)
  return {
    name,
    description: descriptionOf(found, body, notes),
    body,
    core: found.metadata?.['core'] === 'true',
    ...(Object.keys(title).length > 0 && { title }),
    notes: notes.map((note) => `SKILL.md: ${note}`),
  }
}

function parts(source: string, notes: string[]): { frontmatter: string; rest: string } {
  const found = /^\uFEFF?---[ \t]*\r?\n(.*?)\r?\n---[ \t]*(?:\r?\n|$)(.*)/s.exec(source)
  if (!found)
    throw new ServiceError('invalid-input', 'SKILL.md must begin with frontmatter between two lines of ---')
  const [, frontmatter = '', rest = ''] = found
  if (frontmatter.length <= MAX_FRONTMATTER_LENGTH) return { frontmatter, rest }
  notes.push(
    `the frontmatter is larger than ${MAX_FRONTMATTER_LENGTH} characters: only its beginning is read`,
  )
  const end = frontmatter.lastIndexOf('\n', MAX_FRONTMATTER_LENGTH)
  return { frontmatter: frontmatter.slice(0, Math.max(end, 0)), rest }
}

/** The fields that are as they must be. */
function fieldsIn(read: unknown, notes: string[]): Fields {
  if (typeof read !== 'object' || read === null || Array.isArray(read)) return {}
  const found = Object.entries(fields).flatMap(([field, schema]) => {
    const value = (read as { readonly [field: string]: unknown })[field]
    if (value === undefined || value === null) return []
    const result = schema.safeParse(value)
    if (result.success) return [[field, result.data] as const]
    const [issue] = result.error.issues
    notes.push(`${[field, ...(issue?.path ?? []).map(String)].join('.')} ${issue?.message}`)
    return []
  })
  return Object.fromEntries(found)
}

/** @throws ServiceError `invalid-input` if nothing of it can be its name */
function nameOf({ id, name }: Fields, folderName: string, notes: string[]): string {
  const own = id ?? identifier.safeParse(name).data
  if (own !== undefined && own !== folderName)
    notes.push(`its name is ${own}, and its folder is called otherwise`)
  const found = own ?? (/^[\p{L}\p{N}_-]{1,64}$/u.test(folderName) ? folderName : undefined)
  if (found !== undefined) return found
  throw new ServiceError('invalid-input', 'SKILL.md: id must be of a to z, digits and single hyphens')
}

/** For pages: from its metadata, or a name that is not its identifier. */
function titleOf({ name: display, metadata }: Fields, name: string): NonNullable<Skill['title']> {
  const own = display === undefined || display === name ? {} : { [languageIn(display) ?? 'en']: display }
  return {
    ...own,
    ...(metadata?.['title-zh'] !== undefined && { zh: metadata['title-zh'] }),
    ...(metadata?.['title-en'] !== undefined && { en: metadata['title-en'] }),
  }
}

/** The model sees only this until it uses the skill. */
function descriptionOf({ description, triggers = [] }: Fields, body: string, notes: string[]): string {
  if (description === undefined) notes.push('it has no description: its first line is taken for it')
  const firstLine = body.split('\n').find((line) => /^[^#\s]/.test(line)) ?? body
  const whole = toSingleLine(description ?? firstLine, Number.POSITIVE_INFINITY)
  if (whole.length > MAX_DESCRIPTION_LENGTH)
    notes.push(`description has more than ${MAX_DESCRIPTION_LENGTH} characters, and is cut`)
  const start = whole.slice(0, MAX_DESCRIPTION_LENGTH).toWellFormed()
  const words = toSingleLine(triggers.join(', '), MAX_TRIGGERS_LENGTH)
  return words === '' || start.includes(words) ? start : `${start} (${words})`
}
