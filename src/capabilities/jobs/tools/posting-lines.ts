import { oneLine } from '../one-line.ts'
import type { Posting } from '../posting.ts'

export type Language = 'zh' | 'en'

/** Characters of a title, a company, a place. */
const MOST = 120

const remote = { zh: '远程', en: 'remote' } as const

/** One line for each posting. They are strangers' words: one line each, and no brackets, so that none can pass for ours. */
export function postingLines(jobs: readonly Posting[], language: Language): readonly string[] {
  return jobs.map((job, at) => {
    const where = [said(job.location), job.remote && remote[language]].filter(Boolean).join(', ')
    const facts = [said(job.title), said(job.company), where, job.salary && said(job.salary.text)]
    return `${at + 1}. ${facts.filter(Boolean).join(' — ')} — ${oneLine(job.url, 500)} (id ${job.id})`
  })
}

function said(words: string): string {
  return oneLine(words, MOST).replaceAll('[', '(').replaceAll(']', ')')
}
