import { describe, expect, it } from 'vitest'

import { CHINESE_RESUME, HONEST, RESUME } from './tailoring.fixture.ts'
import { truthOf } from './truth.ts'

const POSTING = 'You know Go, Kafka and Rust. You build services that are still there on Monday morning.'

function warned(base: string, tailored: string, posting = POSTING): string[] {
  return truthOf(base, tailored, posting).warnings.map(({ kind, said }) => `${kind}: ${said}`)
}

describe('a tailored text that is not untrue', () => {
  it('is not warned of without need', () => {
    expect(warned(RESUME, HONEST)).toEqual([])
  })

  it.each([
    ['a section', RESUME.replace(/## Education[\s\S]*?(?=## Skills)/, ''), 'lost_section: Education'],
    [
      'an employer',
      RESUME.replace(/### Software Engineer[\s\S]*?(?=## Education)/, ''),
      'lost_entry: Software Engineer — Tidewater Labs (2015 – 2019)',
    ],
    ['a skill', RESUME.replace(', Kafka', ''), 'lost_skill: Kafka'],
    [
      'the posting',
      RESUME.replace('in payments.', 'in payments. Builds services that are still there on Monday morning.'),
      'copied_from_posting: Builds services that are still there on Monday morning.',
    ],
    ['keywords', RESUME.replaceAll('- ', '- Go: '), 'keyword_stuffing: Go'],
    [
      'what was done elsewhere',
      RESUME.replace('- Mentored two interns.\n', '').replace(
        '- Helped',
        '- Mentored two interns.\n- Helped',
      ),
      'moved_line: mentored two interns',
    ],
    ['another language', CHINESE_RESUME, 'other_language: zh'],
  ])('is warned of for %s', (_what, tailored, warning) => {
    expect(warned(RESUME, tailored)).toContain(warning)
  })

  it('is warned of for Chinese that the posting says', () => {
    const posting = '负责支付平台的架构设计与稳定性建设，持续优化系统性能。'

    expect(warned(CHINESE_RESUME, `${CHINESE_RESUME}\n- ${posting}`, posting)).toContainEqual(
      expect.stringMatching(/^copied_from_posting: /),
    )
  })
})

describe('the keywords of a posting', () => {
  it('are those that are used, that could be, and that are not true', () => {
    const { keywords } = truthOf(RESUME, RESUME.replace(', Kafka', ''), POSTING)

    expect(keywords).toEqual({ used: ['Go'], safe: ['Kafka'], notTrueForYou: ['Rust'] })
  })

  it('are not called untrue where another skill implies them', () => {
    expect(truthOf(RESUME, RESUME, 'Message queues and Rust.').keywords.notTrueForYou).toEqual(['Rust'])
  })
})
