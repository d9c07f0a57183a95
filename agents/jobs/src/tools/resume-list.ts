import { z } from 'zod'

import { defineTool, toolResult, type Tool } from 'dragoman/agents'
import type { Json } from 'dragoman/events'
import type { ResumeSummary } from '../resumes/resume.ts'
import type { Resumes } from '../resumes/resumes.ts'
import { quoteUntrustedLine } from '@dragoman/agent-kit/text/quote-untrusted-line'

const input = z.object({
  limit: z.int().min(1).max(100).optional().describe('How many to return at most; 20 unless told.'),
  cursor: z.string().optional().describe('The nextCursor of the page before.'),
})

/** Lets the agent see which resumes the user has. */
export function resumeListTool(resumes: Resumes): Tool {
  return defineTool({
    name: 'resume_list',
    description: "Lists the user's resumes, the last changed first, without their texts.",
    inputSchema: input,
    idempotent: true,
    execute: async ({ limit = 20, cursor }, { userId, signal }) => {
      signal.throwIfAborted()
      const page = await resumes.list(userId, { limit, cursor })
      signal.throwIfAborted()
      const cards = page.resumes.map(card)
      const next = page.nextCursor === undefined ? {} : { nextCursor: page.nextCursor }
      return toolResult({ output: { resumes: cards, ...next }, text: text(page.resumes, page.nextCursor) })
    },
  })
}

function card(resume: ResumeSummary): Json {
  const { id, name, language, isDefault, useCount, version, parseStatus, updatedAt } = resume
  return { id, name, language, isDefault, useCount, version, parseStatus, updatedAt }
}

/** In the language of what is listed, for nobody has said anything to go by. */
function text(resumes: readonly ResumeSummary[], next: string | undefined): string {
  if (resumes.length === 0) return 'No resumes yet: the user can put one in with POST /jobs/resumes.'
  const chinese = resumes.filter(({ language }) => language === 'zh').length * 2 > resumes.length
  const head = chinese
    ? `${resumes.length} 份简历：`
    : `${resumes.length} resume${resumes.length === 1 ? '' : 's'}:`
  const more = chinese ? `还有更多：cursor ${next}` : `There are more: cursor ${next}`
  return [
    head,
    ...resumes.map((resume) => line(resume, chinese)),
    ...(next === undefined ? [] : [more]),
  ].join('\n')
}

function line(
  { id, name, language, isDefault, version, updatedAt }: ResumeSummary,
  chinese: boolean,
): string {
  const title = quoteUntrustedLine(name, 120)
  const day = updatedAt.slice(0, 10)
  return chinese
    ? `- ${title} — ${language}，第 ${version} 版，${day}${isDefault ? '，默认' : ''}（id ${id}）`
    : `- ${title} — ${language}, version ${version}, ${day}${isDefault ? ', default' : ''} (id ${id})`
}
