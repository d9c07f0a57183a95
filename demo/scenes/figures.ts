import { announce, joinNames, check, say } from '../say.ts'
import type { Server } from '../server.ts'

type Funnel = Readonly<Record<'inbox' | 'applied' | 'interview' | 'offer', number>>
type Skills = {
  readonly top: readonly { readonly skill: string; readonly matchCount: number }[]
  readonly gaps: readonly { readonly skill: string; readonly mentionCount: number }[]
}

/** Two postings move on, and the figures follow. */
export async function count({ get, send }: Server, applied: number, interviewing: number): Promise<void> {
  announce(
    'Two applications, and what they come to',
    `PATCH /jobs/${applied} and /jobs/${interviewing} {status}; GET /jobs/analytics/…`,
  )
  await send('PATCH', `/jobs/${applied}`, { status: 'applied' })
  await send('PATCH', `/jobs/${interviewing}`, { status: 'interviewing' })
  const funnel = await get<Funnel>('/jobs/analytics/funnel')
  const { top, gaps } = await get<Skills>('/jobs/analytics/skills?limit=5')
  const { inbox, applied: sent, interview, offer } = funnel
  say(`funnel  ${inbox} put in, ${sent} applied for, ${interview} interview, ${offer} offers`)
  const demand = joinNames(top.map(({ skill, matchCount }) => `${skill} ${matchCount}`))
  const gapList = joinNames(gaps.map(({ skill, mentionCount }) => `${skill} ${mentionCount}`))
  say(`skills  most asked for: ${demand}; of these not in the default resume: ${gapList}`)
  check(funnel.applied === 2 && funnel.interview === 1, 'Two should be applied for, one with an interview.')
}
