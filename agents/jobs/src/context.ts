import { z } from 'zod'

import { isJsonObject, type Json } from 'dragoman/events'
import { ServiceError } from 'dragoman/errors'
import { quoteUntrustedLine } from '@dragoman/agent-kit/text/quote-untrusted-line'

const NO_ID = 'must be a positive whole number'
/** Some clients send 0 for none. */
const id = z
  .int(NO_ID)
  .nonnegative(NO_ID)
  .nullish()
  .transform((value) => value || undefined)
const text = z.string({ error: 'must be a text' })
const group = { error: 'must be an object' }

/** The context of a client. Unknown fields are ignored. */
const schema = z.object(
  {
    jobId: id,
    resumeId: id,
    detectedJob: z.object({ title: text, company: text, url: text, source: text.nullish() }, group).nullish(),
    activeFilters: z
      .object(
        {
          location: text.nullish(),
          salary: text.nullish(),
          remote: z.boolean({ error: 'must be true or false' }).nullish(),
        },
        group,
      )
      .nullish(),
  },
  group,
)

export type JobsContext = z.infer<typeof schema>

/** Reads a context. @throws ServiceError `invalid-request`, naming the field */
export function readContext(context: Json): JobsContext {
  const read = schema.safeParse(context ?? {})
  if (read.success) return read.data
  const issue = read.error.issues[0]
  throw new ServiceError(
    'invalid-request',
    `${['context', ...(issue?.path ?? [])].join('.')} ${issue?.message ?? 'is wrong'}.`,
  )
}

/** The lines of a context for the model. */
export function contextLines(context: Json): readonly string[] {
  const { detectedJob, jobId, resumeId, activeFilters } = readContext(context)
  const lines: string[] = []
  if (detectedJob) {
    lines.push('[Context: User is viewing a job posting]')
    lines.push(`Title: ${line(detectedJob.title)}`, `Company: ${line(detectedJob.company)}`)
    lines.push(`URL: ${line(detectedJob.url, 1000)}`)
    if (detectedJob.source) lines.push(`Source: ${line(detectedJob.source)}`)
  }
  if (jobId) lines.push(`[Context: Discussing job ID #${jobId}]`)
  if (resumeId) lines.push(`[Context: Using resume ID #${resumeId}]`)
  const filters = filterWords(activeFilters ?? {})
  if (filters !== '') lines.push(`[Context: Active filters: ${filters}]`)
  return lines
}

function filterWords({ location, salary, remote }: NonNullable<JobsContext['activeFilters']>): string {
  return [
    location && `location=${line(location)}`,
    salary && `salary=${line(salary)}`,
    typeof remote === 'boolean' && `remote=${remote}`,
  ]
    .filter(Boolean)
    .join(', ')
}

/** A page's title must not contain lines that look like ours. */
function line(value: string, most = 200): string {
  return quoteUntrustedLine(value, most)
}

/** The posting and the resume that a conversation is about. */
export function contextMetadata(context: Json): { readonly [field: string]: Json } {
  if (!isJsonObject(context)) return {}
  const { jobId, resumeId } = context
  return {
    ...(typeof jobId === 'number' && { contextJobId: jobId }),
    ...(typeof resumeId === 'number' && { contextResumeId: resumeId }),
  }
}
