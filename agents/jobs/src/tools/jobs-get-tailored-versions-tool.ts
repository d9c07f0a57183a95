import { z } from 'zod'

import { defineTool, toolResult, type Tool } from 'dragoman/agents'
import { readContext } from '../context.ts'
import { changeLine } from '../tailoring/truth-lines.ts'
import type { Tailoring } from '../tailoring/tailoring.ts'
import { withoutText, type Summary } from '../tailoring/version.ts'
import type { VersionPage } from '../tailoring/versions.ts'
import { hasChinese, type Language } from '../words/language.ts'
import { localize } from '../words/localize.ts'
import texts from './texts.json' with { type: 'json' }

const input = z.object({
  jobId: z
    .int()
    .positive()
    .optional()
    .describe('Only for this job; the one that is discussed unless told, else all.'),
  resumeId: z.int().positive().optional().describe('Only of this resume.'),
  limit: z.int().min(1).max(50).optional().describe('How many to return at most; 20 unless told.'),
})

const USUAL_LIMIT = 20

/** Lets the agent see which tailored resumes there are. */
export function jobsGetTailoredVersionsTool(tailoring: Tailoring): Tool {
  return defineTool({
    name: 'jobs_get_tailored_versions',
    description:
      'Lists the tailored versions of resumes, newest first: for which job, when and how each ' +
      'was made, what it changed, and how many of its claims the base resume does not bear out.',
    inputSchema: input,
    idempotent: true,
    execute: async ({ jobId, resumeId, limit = USUAL_LIMIT }, { userId, context, signal }) => {
      signal.throwIfAborted()
      const which = { jobId: jobId ?? readContext(context).jobId ?? undefined, resumeId }
      const listed = await tailoring.list(userId, which, { limit })
      signal.throwIfAborted()
      return toolResult({
        output: { versions: listed.versions.map(withoutText), more: listed.nextCursor !== undefined },
        text: text(listed),
      })
    },
  })
}

function text({ versions, nextCursor }: VersionPage): string {
  const language: Language = versions.some(({ change }) => change.sections.some(hasChinese)) ? 'zh' : 'en'
  const count = versions.length
  if (count === 0) return localize(texts.versions.none, language)
  const older = nextCursor === undefined ? '' : localize(texts.versions.older, language)
  const head = localize(texts.versions.head, language, { count, s: count === 1 ? '' : 's', older })
  return [head, ...versions.map((version) => line(version, language))].join('\n')
}

function line(summary: Summary, language: Language): string {
  const { id, jobId, resumeId, version, isLatest, openMarks: count, createdAt } = summary
  const marks = count === 1 ? texts.versions.oneMark : texts.versions.someMarks
  return localize(texts.versions.line, language, {
    id,
    jobId,
    resumeId,
    version,
    latest: isLatest ? localize(texts.versions.latest, language) : '',
    day: createdAt.slice(0, 10),
    change: changeLine(summary, language),
    marks: count === 0 ? '' : localize(marks, language, { count }),
  })
}
