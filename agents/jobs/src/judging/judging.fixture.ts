import type { Insertable, Kysely } from 'kysely'

import { says, step, type Step } from '../../../../test/support/scripted-model.ts'
import { readMarkdown } from '../resumes/markdown/read-markdown.ts'
import type { ResumeRow, Tables } from '../tables.ts'
import type { Answer } from './analysis-prompt.ts'

/** A resume. For tests. */
export const RESUME = `# Ada Li
Shanghai, China · ada@example.org

## Experience
### Backend Engineer, Acme
2019-03 – Present
- Built Go and TypeScript services on Kubernetes, PostgreSQL and Kafka

### Developer, Beta
2016-07 – 2019-02
- Java, Spring Boot, MySQL

## Education
B.Sc. in Computer Science, 2012 – 2016

## Languages
English (fluent), Chinese (native)
`

/** Puts a resume in, the user's default one unless told, and gives its id. For tests. */
export async function putResume(
  db: Kysely<Tables>,
  more: Partial<Insertable<ResumeRow>> = {},
): Promise<number> {
  const now = '2026-11-01T00:00:00.000Z'
  const content = more.content ?? RESUME
  const row: Insertable<ResumeRow> = {
    user_id: 'ada',
    name: 'Main',
    content,
    language: 'en',
    is_default: 1,
    source: 'paste',
    original_filename: null,
    parse_status: 'success',
    created_at: now,
    updated_at: now,
  }
  const { id } = await db
    .insertInto('resumes')
    .values({ ...row, data: JSON.stringify(readMarkdown(content).data), ...more })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export const POSTING = {
  title: 'Backend Engineer',
  company: 'Northwind',
  url: 'https://northwind.example/jobs/1',
  location: 'Shanghai',
  description: `We build fleets.

## Requirements
- 5+ years of experience with Go
- PostgreSQL and Kubernetes
- Fluent English
- Bachelor's degree in computer science

## Nice to have
- Rust

We cannot offer visa sponsorship.`,
}

/** What an honest model says of the two. */
export const ANSWER: Answer = {
  verdict: 'High',
  overallScore: 88,
  summary: 'A close fit.',
  coreStack: ['Go', 'PostgreSQL'],
  requirements: [
    {
      kind: 'skill',
      requirement: 'PostgreSQL and Kubernetes',
      importance: 'must',
      quote: 'PostgreSQL and Kubernetes',
      evidence: 'Built Go and TypeScript services on Kubernetes, PostgreSQL and Kafka',
      met: 'yes',
    },
    {
      kind: 'years',
      requirement: 'Five years of Go',
      importance: 'must',
      quote: '5+ years of experience with Go',
      evidence: '2019-03 – Present',
      met: 'yes',
    },
    { kind: 'skill', requirement: 'Rust', importance: 'nice', quote: 'Rust', evidence: null, met: 'no' },
  ],
  strengths: ['Go on Kubernetes'],
  gaps: ['No Rust'],
  suggestions: ['Name the size of the services.'],
  redFlags: [],
  salary: null,
  strategy: 'Apply.',
}

/** One answer of a scripted model. */
export function answers(more: Partial<Answer> = {}): Step {
  return step(says(JSON.stringify({ ...ANSWER, ...more })))
}
