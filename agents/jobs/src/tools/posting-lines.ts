import type { Posting } from '../postings/posting.ts'
import type { Language } from '../words/language.ts'
import { quoteUntrustedLine } from '@dragoman/agent-kit/text/quote-untrusted-line'

/** Characters of a title, a company, a place. */
const MAX_LINE_LENGTH = 120

const remote = { zh: '远程', en: 'remote' } as const

/**
 * One line for each posting. They are strangers' words: one line each, and no brackets, so that none can pass for
 * ours.
 */
export function postingLines(jobs: readonly Posting[], language: Language): readonly string[] {
  return jobs.map((job, at) => {
    const where = [lineOf(job.location), job.remote && remote[language]].filter(Boolean).join(', ')
    const facts = [lineOf(job.title), lineOf(job.company), where, job.salary && lineOf(job.salary.text)]
    return `${at + 1}. ${facts.filter(Boolean).join(' — ')} — ${quoteUntrustedLine(job.url, 500)} (id ${job.id}${repost(job, language)})`
  })
}

/** Somebody has put one opening up twice, or put up an old one again: to apply once is enough. */
function repost({ repostOf }: Posting, language: Language): string {
  if (repostOf === undefined) return ''
  return language === 'zh'
    ? `，疑似与 id ${repostOf} 是同一职位`
    : `, probably the same opening as id ${repostOf}`
}

function lineOf(words: string): string {
  return quoteUntrustedLine(words, MAX_LINE_LENGTH)
}
