import type { Context } from 'hono'
import { z } from 'zod'

import { ServiceError } from 'dragoman/errors'
import { describeJsonError } from 'dragoman/events'
import { validateBody, readJsonBody } from '@dragoman/agent-kit/json-body'
import { requiredText, idField, neededLine, optionalText, pageSize } from '../fields.ts'
import { isForm, readFileForm } from '../read-file-form.ts'
import { formats, MAX_FILE_BYTES, type ResumeText } from './files/formats.ts'
import type { NewResume, ResumeChange } from './resumes.ts'

const MAX_NAME_LENGTH = 200
/** A file in base64, and what stands round it. */
export const MAX_BODY_BYTES = Math.ceil((MAX_FILE_BYTES * 4) / 3) + 64 * 1024

const WRONG_FORMAT = `format must be one of: ${formats.join(', ')}`
const WRONG_VERSION = 'version must be a whole number, 1 or more'

const isDefault = z
  .boolean('isDefault must be true or false')
  .nullish()
  .transform((value) => value ?? undefined)
const format = z.enum(formats, { error: WRONG_FORMAT }).default('markdown')
const filename = optionalText('filename', 255).transform((text) => text?.split(/[/\\]/).at(-1))

const EXAMPLE = {
  name: 'Backend',
  format: 'markdown',
  content:
    '# Ada Lovelace\n\nada@example.com\n\n## Experience\n\n### Engineer @ Acme\n\n2021-03 – ' +
    'Present\n\n- Wrote the first program',
} as const

/** What `POST /jobs/resumes` takes as JSON. A PDF and a DOCX come in base64. */
export const newResumeBody = z
  .object({
    name: optionalText('name', MAX_NAME_LENGTH),
    content: requiredText('content'),
    format,
    filename,
    isDefault,
  })
  .meta({ examples: [EXAMPLE] })

/** What `PUT /jobs/resumes/:id` takes: what is absent stays. */
export const resumeChangeBody = z
  .object({
    name: neededLine('name', MAX_NAME_LENGTH, 'name must not be empty').optional(),
    content: requiredText('content', 'content must not be empty').optional(),
    format,
    filename,
    isDefault,
    version: z
      .int(WRONG_VERSION)
      .positive(WRONG_VERSION)
      .optional()
      .describe('The version that you saw: another one is not written over.'),
  })
  .meta({ examples: [{ name: 'Backend, long' }] })

/** The fields of a form, without its file. */
const formFields = z.object({
  name: optionalText('name', MAX_NAME_LENGTH),
  isDefault: z
    .preprocess(
      (text) => (text === '' ? undefined : text),
      z
        .stringbool({
          truthy: ['true', 'on', '1'],
          falsy: ['false', 'off', '0'],
          error: 'isDefault must be true or false',
        })
        .optional(),
    )
    .optional(),
})

/** A resume as multipart/form-data. */
export const formBody = z.object({ file: z.file(), ...formFields.shape })

/** Reads a new resume: JSON, or a form with a `file`. @throws ServiceError `invalid-request` */
export async function readNewResume(c: Context): Promise<NewResume> {
  if (isForm(c)) return readSentFile(c)
  const { content, format: kind, ...rest } = await readJsonBody(c, newResumeBody, describeJsonError)
  return { ...rest, text: { format: kind, content } }
}

/** Reads what is to change. @throws ServiceError `invalid-request` */
export async function readChange(c: Context): Promise<ResumeChange> {
  if (isForm(c)) return readSentFile(c)
  // Who puts a resume sends it as it was read, with all its fields.
  const schema = c.req.method === 'PATCH' ? resumeChangeBody.strict() : resumeChangeBody
  const { content, format: kind, ...rest } = await readJsonBody(c, schema, describeJsonError)
  if (content === undefined && rest.name === undefined && rest.isDefault === undefined) {
    throw new ServiceError('invalid-request', 'There is nothing to change: give name, content or isDefault')
  }
  const text: ResumeText | undefined = content === undefined ? undefined : { format: kind, content }
  return { ...rest, text }
}

async function readSentFile(c: Context): Promise<NewResume> {
  const { form, file } = await readFileForm(c)
  const { name, isDefault: chosen } = validateBody(formFields, {
    name: form.get('name') ?? undefined,
    isDefault: form.get('isDefault') ?? undefined,
  })
  const called = validateBody(z.object({ filename }), { filename: file.name }).filename
  return {
    text: { file: new Uint8Array(await file.arrayBuffer()) },
    name,
    filename: called,
    isDefault: chosen,
  }
}

/** Which resume a path means. */
export const resumePath = z.object({ id: idField('Invalid resume id') })
/** Which version of which resume a path means. */
export const versionPath = resumePath.extend({ version: idField('Invalid version') })

/** What a list is asked. */
export const listQuery = z.object({
  limit: pageSize,
  cursor: z.string().optional().describe('The `nextCursor` of the page before.'),
})
