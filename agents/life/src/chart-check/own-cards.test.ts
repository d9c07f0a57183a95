import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import type { Birth } from '../birth/birth.ts'
import { beijing, birthAt } from '../chart/birth.fixture.ts'
import type { Language } from '../language.ts'
import { person } from '../tools/charts.fixture.ts'
import { chartCard } from '../tools/chart-card.ts'
import { fortuneCard } from '../tools/fortune-card.ts'
import { klineCard } from '../tools/kline-card.ts'
import { pairCard } from '../tools/pair-card.ts'
import { chartGuardrail } from './chart-guardrail.ts'

const two = (value: number): string => String(value).padStart(2, '0')
const births = fc
  .record({
    year: fc.integer({ min: 1930, max: 2024 }),
    month: fc.integer({ min: 1, max: 12 }),
    day: fc.integer({ min: 1, max: 28 }),
    hour: fc.option(fc.integer({ min: 0, max: 23 }), { nil: undefined }),
    gender: fc.constantFrom('male' as const, 'female' as const),
  })
  .map(({ year, month, day, hour, gender }) => {
    const date = `${year}-${two(month)}-${two(day)}`
    return birthAt(hour === undefined ? date : `${date} ${two(hour)}:30`, { gender, place: beijing })
  })

/** The cards of a birth. A model may repeat their texts. */
function cardsOf(birth: Birth, other: Birth, language: Language) {
  const input = { birth, userId: 'ada', language }
  const year = 2026
  return [
    chartCard({ ...input, details: true }),
    fortuneCard({ ...input, year, past: 5, zone: 'Asia/Shanghai' }),
    klineCard({ ...input, year, from: undefined, to: undefined }),
    pairCard({ ...input, other, name: undefined }),
  ]
}

describe('the text of a card', () => {
  it('is never corrected if the model repeats it', async () => {
    await fc.assert(
      fc.asyncProperty(
        births,
        births,
        fc.constantFrom<Language>('zh', 'en'),
        async (birth, other, language) => {
          for (const result of cardsOf(birth, other, language)) {
            const request = await chartGuardrail(person(birth))({
              userId: 'ada',
              threadId: 'conv_test',
              context: {},
              answer: {
                role: 'assistant',
                id: 'msg_test',
                status: 'streaming',
                parts: [
                  {
                    type: 'text',
                    partId: 't',
                    text: `你的命盘 Your chart\n${result.text ?? ''}`,
                    open: false,
                  },
                ],
              },
              signal: new AbortController().signal,
            })
            expect(result.text).toMatch(/\S/)
            expect(request).toBeUndefined()
          }
        },
      ),
      { numRuns: 150 },
    )
  })
})
