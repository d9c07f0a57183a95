import type { Json } from '../../../../packages/dragoman/src/index.ts'

/** Somebody who looks for work, postings that fit, and what a model says of both. */
export const RESUME = `# Ada Park
ada@example.com | Berlin

## Experience

### Backend Engineer — Northwind Payments (2019 – Present)
- Built the checkout service in Go and PostgreSQL.
- Reduced failed payments by 40%.

## Skills
- Go, PostgreSQL, Kafka
`

/** Rewritten without a lie, and with a skill that the resume does not name. */
export const HONEST = RESUME.replace('- Built the checkout', '- Designed and built the checkout')
export const INVENTED = HONEST.replace('Go, PostgreSQL, Kafka', 'Go, PostgreSQL, Kafka, Rust')

/** Its page is not to be had: it lies where no page is asked for. */
export function postingNumber(number: number) {
  return {
    title: `Backend Engineer ${number}`,
    company: `Acme ${number}`,
    url: `http://127.0.0.1:9/jobs/${number}`,
    location: 'Berlin',
    description:
      '## Requirements\n- You know Go and PostgreSQL\n\n## Nice to have\n- Rust\n\n' +
      `Team ${number} builds what is still there on Monday morning.`,
  }
}

/** What a model answers that judges. */
export const JUDGED: Json = {
  verdict: 'High',
  overallScore: 82,
  summary: 'A close fit.',
  coreStack: ['Go', 'PostgreSQL'],
  requirements: [
    {
      kind: 'skill',
      requirement: 'Go and PostgreSQL',
      importance: 'must',
      quote: 'You know Go and PostgreSQL',
      evidence: 'Built the checkout service in Go and PostgreSQL.',
      met: 'yes',
    },
  ],
  strengths: ['Go in payments'],
  gaps: ['No Rust'],
  suggestions: ['Name Go first.'],
  redFlags: [],
  salary: null,
  strategy: 'Apply.',
}

/** What a model answers that rewrites. */
export function rewritten(content: string): Json {
  const reason = 'It is asked for.'
  return {
    content,
    suggestions: [
      { type: 'modify', section: 'Experience', original: null, suggested: 'Name Go first.', reason },
    ],
  }
}
