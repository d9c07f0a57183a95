import type { Posting } from '../posting.ts'

export type Language = 'zh' | 'en'

const remote = { zh: '远程', en: 'remote' } as const

/** One line for each posting. They are strangers' words: one line each, so that none can pass for ours. */
export function postingLines(jobs: readonly Posting[], language: Language): readonly string[] {
  return jobs.map((job, at) => {
    const where = [oneLine(job.location), job.remote && remote[language]].filter(Boolean).join(', ')
    const facts = [oneLine(job.title), oneLine(job.company), where, job.salary && oneLine(job.salary.text)]
    return `${at + 1}. ${facts.filter(Boolean).join(' — ')} — ${oneLine(job.url, 500)} (id ${job.id})`
  })
}

/** Cuts a stranger's words to one short line. */
export function oneLine(text: string, most = 120): string {
  const line = text
    .slice(0, most * 4)
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
  return line.length > most ? `${line.slice(0, most)}…` : line
}
