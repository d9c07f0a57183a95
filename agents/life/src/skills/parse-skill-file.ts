import { z } from 'zod'

import { ServiceError } from 'dragoman/errors'
import type { Skill } from './skill.ts'
import { readYaml } from './read-yaml.ts'

/** In bytes, of the whole file. */
export const MAX_SKILL_BYTES = 64 * 1024
const MAX_LINES = 500
/** In characters: all that its fields may have fits. */
const MAX_FRONTMATTER_LENGTH = 8000

const text = (most: number) =>
  z
    .string('must be a text')
    .trim()
    .min(1, 'must not be empty')
    .max(most, `must be at most ${most} characters`)

/**
 * https://agentskills.io/specification: what is not in it is passed over. Values of `metadata` may stand there without
 * quotes.
 */
const frontmatter = z.looseObject(
  {
    name: text(64).regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'must be of a to z, digits and single hyphens'),
    description: text(1024),
    license: text(500).nullish(),
    compatibility: text(500).nullish(),
    metadata: z
      .record(z.string(), z.union([z.string(), z.number(), z.boolean()]).transform(String), {
        error: 'must be a map of names to texts',
      })
      .nullish(),
    'allowed-tools': z.string('must be a text: names with spaces between').max(2000).nullish(),
  },
  'the frontmatter must be a map of fields',
)

/** What `SKILL.md` says. @throws ServiceError `invalid-input` with the first thing that is wrong with it */
export async function parseSkillFile(
  folderName: string,
  source: string,
): Promise<Pick<Skill, 'name' | 'description' | 'body' | 'core' | 'title'>> {
  const parts = /^\uFEFF?---[ \t]*\r?\n(.*?)\r?\n---[ \t]*(?:\r?\n|$)(.*)$/s.exec(source)
  if (!parts) throw wrong('SKILL.md must begin with frontmatter between two lines of ---')
  const [, fields = '', rest = ''] = parts
  if (fields.length > MAX_FRONTMATTER_LENGTH) {
    throw wrong(`SKILL.md: the frontmatter is larger than ${MAX_FRONTMATTER_LENGTH} characters`)
  }
  const read = frontmatter.safeParse(await readYaml(fields))
  if (!read.success) {
    const [issue] = read.error.issues
    throw wrong(['SKILL.md:', issue?.path.join('.'), issue?.message].filter(Boolean).join(' '))
  }
  const { name, description, metadata } = read.data
  if (name !== folderName) throw wrong(`SKILL.md: name is ${name}, and its folder is called otherwise`)
  const body = rest.replaceAll('\r\n', '\n').trim()
  if (body === '') throw wrong('SKILL.md has no instructions below its frontmatter')
  if (body.split('\n').length >= MAX_LINES) {
    throw wrong(`SKILL.md has ${MAX_LINES} lines or more: put what is not always needed into references/`)
  }
  const title = {
    ...(metadata?.['title-zh'] !== undefined && { zh: metadata['title-zh'] }),
    ...(metadata?.['title-en'] !== undefined && { en: metadata['title-en'] }),
  }
  return {
    name,
    description: description.replaceAll(/\s+/g, ' '),
    body,
    core: metadata?.['core'] === 'true',
    ...(Object.keys(title).length > 0 && { title }),
  }
}

function wrong(sentence: string): ServiceError {
  return new ServiceError('invalid-input', sentence)
}
