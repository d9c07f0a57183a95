import { describe, expect, it } from 'vitest'

import { cpuMs } from '../../../../test/support/cpu-time.ts'
import { pillarClaims } from './pillar-claims.ts'
import cases from '../../test/data/claims.json' with { type: 'json' }

function claimText(text: string): string {
  return pillarClaims(text)
    .map(({ pillar, name }) => `${pillar} ${name}`)
    .join(', ')
}

describe('pillarClaims', () => {
  it.each(Object.entries(cases.claims))('reads the pillars of the user in %j', (text, expected) => {
    expect(claimText(text)).toBe(expected)
  })

  it.each(cases.others)('finds no claim about the user in %j', (text) => {
    expect(claimText(text)).toBe('')
  })

  it.each([
    ['pillars', `你的${'甲子'.repeat(25_000)}${'八字'.repeat(25_000)}`],
    ['rows', '你的八字：甲子 乙丑 丙寅 丁卯。'.repeat(6000)],
    ['labels without pillars', `你的${'日柱（'.repeat(30_000)}`],
  ])('takes linear time for a long text of %s', (_name, text) => {
    expect(cpuMs(() => pillarClaims(text))).toBeLessThan(700)
  })
})
