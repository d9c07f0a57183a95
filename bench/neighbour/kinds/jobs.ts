import type { Attack, AttackKind } from '../attack.ts'
import { worstText } from '../worst-text.ts'

/** A user of the agents' own routes. */

const PLAIN =
  '# Ada Lovelace\n\nada@example.com\n\n## Experience\n\n### Engineer @ Acme\n\n2021-03 – Present\n\n'
const LONG_RESUME = PLAIN + '- Wrote the first program\n'.repeat(4000)
const POSTING = { title: 'Developer', company: 'Acme', url: 'https://a.example/1', description: 'typescript' }

export const jobsKinds: readonly AttackKind[] = [
  {
    name: 'resumes with the worst patterns',
    play: ({ ask, repeat, target: { token } }) => {
      let count = 0
      return repeat(16, () => {
        const body = {
          format: count % 2 === 0 ? 'text' : 'markdown',
          content: PLAIN + worstText(count++, 180_000),
        }
        return ask({ method: 'POST', path: '/jobs/resumes', token, body })
      })
    },
  },
  {
    name: 'analyses and tailored resumes',
    play: async (attack) => {
      const { ask, repeat, target } = attack
      const { jobId, resumeId } = await createPosting(attack)
      const paths = [`/jobs/${jobId}/analyze`, '/jobs/analyze', `/jobs/tailor/${jobId}`]
      let count = 0
      await repeat(16, () => {
        const path = paths[count++ % paths.length] ?? ''
        return ask({ method: 'POST', path, token: target.token, body: { resumeId } })
      })
    },
  },
  {
    name: 'PDFs and reports',
    play: async (attack) => {
      const { ask, repeat, target } = attack
      const { jobId, resumeId } = await createPosting(attack)
      const paths = [
        `/jobs/resumes/${resumeId}/pdf`,
        `/jobs/resumes/${resumeId}/docx`,
        `/jobs/${jobId}/prescore?resumeId=${resumeId}`,
        '/jobs/export?format=csv',
        '/jobs/analytics/skills',
        '/jobs/calendar.ics',
      ]
      let count = 0
      await repeat(32, () => ask({ path: paths[count++ % paths.length] ?? '', token: target.token }))
    },
  },
  {
    name: 'postings with the worst patterns',
    play: ({ ask, repeat, target: { token } }) => {
      let count = 0
      return repeat(16, () => {
        const body = {
          ...POSTING,
          url: `https://a.example/${count}`,
          description: worstText(count++, 180_000),
        }
        return ask({ method: 'POST', path: '/jobs', token, body })
      })
    },
  },
  {
    name: 'postings in bodies of 18 MB',
    play: ({ ask, repeat, target: { token } }) => {
      const jobs = Array.from({ length: 90 }, (_, index) => ({
        ...POSTING,
        url: `https://a.example/large/${index}`,
        description: worstText(index, 180_000),
      }))
      return repeat(4, () => ask({ method: 'POST', path: '/jobs/ingest', token, body: { jobs } }), 4)
    },
  },
  {
    name: 'memories',
    play: ({ ask, repeat, target: { token } }) => {
      let count = 0
      return repeat(16, () => {
        const body = { content: `${count++} ${'x'.repeat(400)}` }
        return ask({ method: 'POST', path: '/life/memories', token, body })
      })
    },
  },
]

async function createPosting({
  ask,
  target: { token },
}: Attack): Promise<{ jobId: number; resumeId: number }> {
  const job = await ask({ method: 'POST', path: '/jobs', token, body: POSTING })
  const body = { name: 'Long', format: 'markdown', content: LONG_RESUME }
  const resume = await ask({ method: 'POST', path: '/jobs/resumes', token, body })
  const idIn = (text: string): number => Number(/"id":(\d+)/.exec(text)?.[1])
  return { jobId: idIn(job.text), resumeId: idIn(resume.text) }
}
