import { z } from 'zod'

import { defineTool, toolResult, type Tool } from 'dragoman/agents'
import { readContext } from '../context.ts'
import { changeLine } from '../tailoring/truth-lines.ts'
import type { Tailoring } from '../tailoring/tailoring.ts'
import type { Summary } from '../tailoring/version.ts'
import type { Listed } from '../tailoring/versions.ts'
import { hasChinese, type Language } from '../words/language.ts'

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
      'Lists the tailored versions of resumes, newest first: for which job, when and how each was made, what it changed, and how many of its claims the base resume does not bear out.',
    inputSchema: input,
    idempotent: true,
    execute: async ({ jobId, resumeId, limit = USUAL_LIMIT }, { userId, context, signal }) => {
      signal.throwIfAborted()
      const which = { jobId: jobId ?? readContext(context).jobId ?? undefined, resumeId }
      const listed = await tailoring.list(userId, which, { limit })
      signal.throwIfAborted()
      return toolResult({
        output: { versions: [...listed.versions], more: listed.nextCursor !== undefined },
        text: text(listed),
      })
    },
  })
}

function text({ versions, nextCursor }: Listed): string {
  const language: Language = versions.some(({ change }) => change.sections.some(hasChinese)) ? 'zh' : 'en'
  const lines = versions.map((version) => line(version, language))
  if (language === 'zh') {
    return [
      `${versions.length} 个定制版本${nextCursor === undefined ? '' : '（还有更早的）'}：`,
      ...lines,
    ].join('\n')
  }
  if (versions.length === 0) return 'There is no tailored version yet.'
  const head = `${versions.length} tailored version${versions.length === 1 ? '' : 's'}`
  return [`${head}${nextCursor === undefined ? '' : ', and older ones'}:`, ...lines].join('\n')
}

function line(summary: Summary, language: Language): string {
  const { id, jobId, resumeId, version, isLatest, openMarks, createdAt } = summary
  const day = createdAt.slice(0, 10)
  const change = changeLine(summary, language)
  if (language === 'zh') {
    const marks = openMarks === 0 ? '' : `；${openMarks} 处无依据`
    return `- 职位 ${jobId}，简历 ${resumeId}，版本 ${version}${isLatest ? '（最新）' : ''}，${day}：${change}${marks}（id ${id}）`
  }
  const marks = openMarks === 0 ? '' : `; ${openMarks} claim${openMarks === 1 ? '' : 's'} not borne out`
  return `- Job ${jobId}, resume ${resumeId}, version ${version}${isLatest ? ' (latest)' : ''}, ${day}: ${change}${marks} (id ${id})`
}
