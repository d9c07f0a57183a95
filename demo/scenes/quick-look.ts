import type { Prescore } from '../../agents/jobs/src/judging/prescore.ts'
import { skillNamed } from '../../agents/jobs/src/skills/skill-table.ts'
import { announce, check, say, short } from '../say.ts'
import type { Server } from '../server.ts'
import type { Resumes } from './resumes.ts'

type Job = { readonly id: number; readonly title: string; readonly company: string }
type Looked = { readonly job: Job; readonly fit: Prescore }

/** Every posting is held against the resume of its language, without a model, and the list is sorted. */
export async function lookQuickly({ get }: Server, resumes: Resumes): Promise<void> {
  announce(
    'A quick look at every posting, without a model',
    'GET /jobs/:id/prescore, with the resume of the posting’s language. Below each: what weighs most.',
  )
  const { jobs } = await get<{ jobs: readonly Job[] }>('/jobs?limit=100')
  const all: Looked[] = []
  for (const job of jobs) {
    const language = /\p{Script=Han}/u.test(job.title) ? 'zh' : 'en'
    const fit = await get<Prescore>(`/jobs/${job.id}/prescore?resumeId=${resumes[language]}`)
    all.push({ job, fit })
  }
  for (const { job, fit } of all.toSorted((one, other) => (other.fit.score ?? -1) - (one.fit.score ?? -1))) {
    const about = `#${job.id} ${job.title} · ${job.company}`
    say(`${String(fit.score ?? '–').padStart(3)} ${(fit.verdict ?? '').padEnd(6)}  ${short(about, 100)}`)
    for (const reason of reasonsOf(fit)) say(`            ${short(reason, 110)}`)
  }
  check(
    all.some(({ fit }) => fit.verdict === 'High') && all.some(({ fit }) => fit.verdict === 'Low'),
    'Some postings should fit, and some not.',
  )
}

/** The one or two that matter most: what rules it out, then what costs or brings the most points. */
function reasonsOf(fit: Prescore): readonly string[] {
  const lost = ({ weight, share }: Prescore['parts'][number]): number => weight * (1 - (share ?? 1))
  const parts = fit.parts
    .filter(({ blocks, weight }) => !blocks && weight > 0)
    .toSorted((one, other) => lost(other) - lost(one) || other.weight - one.weight)
    .map(({ kind, says }) => (kind === 'skills' ? `${says}${named(fit)}` : says))
  return [...fit.blockers, ...(fit.note ? [fit.note] : []), ...parts].slice(0, 2)
}

function named({ keywords, missing, language }: Prescore): string {
  const [has, lacks] = language === 'zh' ? ['有', '缺'] : ['has', 'lacks']
  const nameOf = (skill: string): string => (language === 'zh' ? skillNamed(skill)?.zh : undefined) ?? skill
  const some = (word: string, names: readonly string[]): readonly string[] =>
    names.length > 0 ? [`${word} ${names.slice(0, 4).map(nameOf).join(', ')}`] : []
  return ` (${[...some(has, keywords), ...some(lacks, missing)].join('; ')})`
}
