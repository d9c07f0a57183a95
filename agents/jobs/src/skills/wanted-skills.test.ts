import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { setUp } from '../jobs.fixture.ts'
import { storePostingSkills } from './store-posting-skills.ts'
import { wantedSkills } from './wanted-skills.ts'

function brief(description: string): readonly string[] {
  return wantedSkills(description).map(({ skill, need }) => `${skill} ${need}`)
}

describe('the skills that a posting wants', () => {
  it.each([
    [
      '## Requirements\n- 5+ years of TypeScript\n\n## Nice to have\n- Rust\n\n## About us\nWe use Python.',
      ['TypeScript required', 'Rust nice', 'Python mentioned'],
    ],
    [
      '**What we look for**\n\n- PostgreSQL in production\n- Kubernetes is a plus',
      ['PostgreSQL required', 'Kubernetes nice'],
    ],
    ['Must have: Java\nPreferred: Scala', ['Java required', 'Scala nice']],
    ['Java is required, Scala is a plus.', ['Java required', 'Scala nice']],
    ['Docker preferred. Experience with Python.', ['Python required', 'Docker nice']],
    ['Python, Go, or Rust is a plus', ['Python nice', 'Go nice', 'Rust nice']],
    [
      'Experience with Kubernetes, ideally with Helm and Istio.',
      ['Kubernetes required', 'Helm nice', 'Istio nice'],
    ],
    ['You will build things with Kafka.', ['Kafka mentioned']],
    ['Responsibilities\n- Own our Kafka\n\nQualifications\n- Kafka', ['Kafka required']],
    [
      '### 任职要求\n1. 熟悉Java，有Go经验者优先\n2. 精通Redis\n\n### 加分项\n- Kubernetes',
      ['Java required', 'Redis required', 'Go nice', 'Kubernetes nice'],
    ],
    [
      '岗位职责：1、维护MySQL。任职要求：1、熟悉Java；2、精通Redis；加分项：熟悉Kubernetes',
      ['Java required', 'Redis required', 'Kubernetes nice', 'MySQL mentioned'],
    ],
    ['必须会TypeScript，最好会Rust', ['TypeScript required', 'Rust nice']],
    [
      '【岗位要求】\n本科，熟悉Spring Boot\n【福利待遇】\n项目管理培训',
      ['Spring Boot required', 'Project Management mentioned'],
    ],
    ['', []],
  ])('are those of %j', (description, expected) => {
    expect(brief(description)).toEqual(expected)
  })

  it('are quoted with the words that want them', () => {
    const long = `Requirements: ${'pleasant manners, '.repeat(30)}TypeScript, and ${'more manners, '.repeat(30)}`

    expect(wantedSkills('We are nice. 3 years of Go experience! Bye.')[0]?.quote).toBe(
      '3 years of Go experience!',
    )
    expect(wantedSkills(long)[0]?.quote).toMatch(/^.{0,150}TypeScript.{0,150}$/)
  })

  it('can be told of every text, each skill once', () => {
    const pieces = fc.constantFrom(
      'Requirements:',
      '优先',
      'is a plus',
      'must',
      'Go',
      'Java',
      '，',
      '. ',
      '\n',
      '1、',
      '## ',
      '任职要求：',
      'ideally ',
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(pieces).map((all) => all.join(' ')),
        ),
        (text) => {
          const names = wantedSkills(text).map(({ skill }) => skill)
          expect(new Set(names).size).toBe(names.length)
        },
      ),
    )
  })
})

describe('what is kept of a posting’s skills', () => {
  const posting = {
    title: 'Rust Engineer',
    company: 'Acme',
    url: 'https://acme.example/1',
    description: 'Java is a plus.',
  }

  it('is kept when the posting is', async () => {
    const { call, db } = await setUp()
    await call('', posting)

    const rows = await db.selectFrom('job_skills').select(['skill', 'need']).orderBy('skill').execute()
    expect(rows).toEqual([
      { skill: 'Java', need: 'nice' },
      { skill: 'Rust', need: 'required' },
    ])
  })

  it('is replaced by what the posting says now', async () => {
    const { call, db } = await setUp()
    await call('', posting)
    const keep = (description: string | null): Promise<void> =>
      db.transaction().execute((trx) => storePostingSkills(trx, { id: 1, title: 'Engineer', description }))

    await keep('Must know Go.')
    expect(await db.selectFrom('job_skills').selectAll().execute()).toEqual([
      { job_id: 1, skill: 'Go', need: 'required' },
    ])
    await keep(null)
    expect(await db.selectFrom('job_skills').selectAll().execute()).toEqual([])
  })

  it('goes with it', async () => {
    const { call, db } = await setUp()
    await call('', posting)
    await db.deleteFrom('jobs').execute()

    expect(await db.selectFrom('job_skills').selectAll().execute()).toEqual([])
  })
})
