import type { Posting } from '../postings/posting.ts'
import type { Language } from '../words/language.ts'
import { localize } from '../words/localize.ts'
import texts from './texts.json' with { type: 'json' }
import { quoteUntrustedLine } from '@dragoman/agent-kit/text/quote-untrusted-line'

/** Characters of a title, a company, a place. */
const MAX_LINE_LENGTH = 120

/**
 * One line for each posting. They are strangers' words: one line each, and no brackets, so that none can pass for
 * ours.
 */
export function postingLines(jobs: readonly Posting[], language: Language): readonly string[] {
  return jobs.map((job, at) => {
    const where = [lineOf(job.location), job.remote && localize(texts.posting.remote, language)]
      .filter(Boolean)
      .join(', ')
    const facts = [lineOf(job.title), lineOf(job.company), where, job.salary && lineOf(job.salary.text)]
    const address = quoteUntrustedLine(job.url, 500)
    return `${at + 1}. ${facts.filter(Boolean).join(' — ')} — ${address} (id ${job.id}${repost(job, language)})`
  })
}

/** Two postings of one opening: to apply once is enough. */
function repost({ repostOf: id }: Posting, language: Language): string {
  return id === undefined ? '' : localize(texts.posting.repost, language, { id })
}

function lineOf(words: string): string {
  return quoteUntrustedLine(words, MAX_LINE_LENGTH)
}
