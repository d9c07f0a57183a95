import { z } from 'zod'

import { defineTool, toolResult, type Tool } from 'dragoman/agents'
import type { Json } from 'dragoman/events'
import type { ResumeSummary } from '../resumes/resume.ts'
import type { Resumes } from '../resumes/resumes.ts'
import { quoteUntrustedLine } from '@dragoman/agent-kit/text/quote-untrusted-line'
import type { Language } from '../words/language.ts'
import { localize } from '../words/localize.ts'
import texts from './texts.json' with { type: 'json' }

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

/** In the language of most of the resumes: no request shows the user's language. */
function text(resumes: readonly ResumeSummary[], cursor: string | undefined): string {
  const count = resumes.length
  if (count === 0) return 'No resumes yet: the user can put one in with POST /jobs/resumes.'
  const isChinese = resumes.filter(({ language }) => language === 'zh').length * 2 > count
  const language: Language = isChinese ? 'zh' : 'en'
  return [
    localize(texts.resume.count, language, { count, s: count === 1 ? '' : 's' }),
    ...resumes.map((resume) => line(resume, language)),
    ...(cursor === undefined ? [] : [localize(texts.resume.more, language, { cursor })]),
  ].join('\n')
}

function line({ isDefault, ...resume }: ResumeSummary, language: Language): string {
  return localize(texts.resume.line, language, {
    id: resume.id,
    language: resume.language,
    version: resume.version,
    title: quoteUntrustedLine(resume.name, 120),
    day: resume.updatedAt.slice(0, 10),
    default: isDefault ? localize(texts.resume.default, language) : '',
  })
}
