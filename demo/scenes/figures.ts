import { announce, listed, must, say } from '../say.ts'
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
  say(
    `funnel  ${funnel.inbox} put in, ${funnel.applied} applied for, ${funnel.interview} interview, ${funnel.offer} offers`,
  )
  const wanted = listed(top.map(({ skill, matchCount }) => `${skill} ${matchCount}`))
  const lacking = listed(gaps.map(({ skill, mentionCount }) => `${skill} ${mentionCount}`))
  say(`skills  most asked for: ${wanted}; of these not in the default resume: ${lacking}`)
  must(funnel.applied === 2 && funnel.interview === 1, 'Two should be applied for, one with an interview.')
}
