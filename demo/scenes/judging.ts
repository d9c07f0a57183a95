import type { StoredAnalysis } from '../../agents/jobs/src/judging/analysis.ts'
import { announce, check, say, short } from '../say.ts'
import type { Server } from '../server.ts'

/** A posting, and the resume that it is held against. */
export type Pair = { readonly jobId: number; readonly resumeId: number }

type Requirement = StoredAnalysis['requirements'][number]

/** What rules an application out where it must be met and is not. */
const HARD = new Set<string>(['permit', 'location', 'language', 'years', 'degree'])
const SIGNS = { yes: '✓', partly: '~', no: '✗' } as const

/** A model judges, and what it quotes is looked up. */
export async function judge(server: Server, pairs: readonly Pair[]): Promise<readonly StoredAnalysis[]> {
  announce(
    'A model judges three of them',
    'POST /jobs/:id/analyze. Each requirement with its words in the posting, and what shows it in the resume.',
    'We look every quote up: what stands nowhere is dropped, and the score is no higher than what is left supports.',
  )
  const all: StoredAnalysis[] = []
  for (const [nth, { jobId, resumeId }] of pairs.entries()) {
    const { job } = await server.get<{ job: { title: string; company: string } }>(`/jobs/${jobId}`)
    const request = server.send<{ analysis: StoredAnalysis }>('POST', `/jobs/${jobId}/analyze`, { resumeId })
    const { analysis } = await request
    if (nth > 0) say()
    say(`#${jobId} ${short(`${job.title} · ${job.company}`, 100)}`)
    tell(analysis)
    all.push(analysis)
  }
  check(
    all.some(({ redFlags }) => redFlags.some((flag) => flag.includes('IGNORE ALL PREVIOUS'))),
    'The instructions in the aggregator’s posting should be a red flag.',
  )
  return all
}

function tell(analysis: StoredAnalysis): void {
  const { overallScore, statedScore, verdict, requirements, redFlags, unverified, summary } = analysis
  const before = statedScore === overallScore ? '' : ` (the model said ${statedScore})`
  const hard = requirements.filter(isHardBlocker)
  say(`   ${verdict}, ${overallScore}/100${before}: ${summary}`)
  say(`   hard blockers: ${hard.map(({ requirement }) => requirement).join('; ') || 'none'}`)
  for (const one of requirements) {
    const nice = one.importance === 'nice' ? ' (nice to have)' : ''
    say(`   ${SIGNS[one.met]} ${one.requirement}${nice}`)
    say(`       asked: ${one.quote === null ? 'not found' : `“${short(one.quote, 90)}”`}`)
    say(`       shown: ${one.evidence === null ? 'not found' : `“${short(one.evidence, 90)}”`}`)
  }
  for (const flag of redFlags) say(`   red flag: ${flag}`)
  if (unverified > 0) say(`   quotes that stand nowhere, dropped: ${unverified}`)
}

function isHardBlocker({ kind, importance, met }: Requirement): boolean {
  return importance === 'must' && met === 'no' && HARD.has(kind)
}
