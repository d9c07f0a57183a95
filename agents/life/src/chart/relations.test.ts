import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { birthAt } from './birth.fixture.ts'
import { chartOf } from './chart-of.ts'
import { branches, stems, type Branch, type Chart, type Pillar, type Stem, type StemBranch } from './chart.ts'
import { relationsOf, relationsWith } from './relations.ts'
import cases from '../../test/data/charts.json' with { type: 'json' }

const { day: anyPillar } = chartOf(birthAt('1990-05-15 14:30')).pillars

function pillar(stem: Stem, branch: Branch): Pillar {
  return { ...anyPillar, name: stem + branch, stem, branch }
}

/** Four pillars of these branches, whose stems are in no relation. */
function ofBranches(row: string): Chart['pillars'] {
  const [year, month, day, hour] = row.split('').map((branch) => pillar('甲', branch as Branch))
  if (!year || !month || !day || !hour) throw new Error('It takes four branches.')
  return { year, month, day, hour }
}

const relationTexts = (pillars: Chart['pillars']): string[] =>
  relationsOf(pillars).map(({ kind, names, element = '' }) => `${kind}${names.join('')}${element}`)

describe('branches', () => {
  it.each(Object.entries(cases.pairs))('of %s', (row, kinds) => {
    const found = relationTexts(ofBranches(row))

    expect(new Set(found.map(inOneOrder))).toEqual(new Set(kinds.map(inOneOrder)))
  })

  it.each(Object.entries(cases.triples))('of %s are one, and no two of them are told again', (row, kinds) => {
    expect(new Set(relationTexts(ofBranches(row)).map(inOneOrder))).toEqual(new Set(kinds.map(inOneOrder)))
  })
})

/** What is said of two branches says the same of them in the other order. */
function inOneOrder(text: string): string {
  return text.split('').toSorted().join('')
}

describe('stems', () => {
  it.each(Object.entries(cases.stems))('%s', (row, kinds) => {
    const [one = '甲', other = '甲'] = row.split('') as Stem[]
    const pillars = {
      year: pillar(one, '子'),
      month: pillar(other, '寅'),
      day: pillar(one, '子'),
    }

    expect(new Set(relationTexts(pillars).map(inOneOrder))).toEqual(new Set(kinds.map(inOneOrder)))
  })
})

const signs = fc.record({ stem: fc.constantFrom(...stems), branch: fc.constantFrom(...branches) })

describe('relations', () => {
  it('are the same in whatever order the pillars stand', () => {
    fc.assert(
      fc.property(
        fc.array(signs, { minLength: 4, maxLength: 4 }),
        fc.integer({ min: 0, max: 23 }),
        (row, order) => {
          const shuffled = row.toSorted(
            (a, b) => (order % (row.indexOf(a) + 2)) - (order % (row.indexOf(b) + 2)),
          )
          const four = (of: typeof row): Chart['pillars'] => {
            const [year, month, day, hour] = of.map(({ stem, branch }) => pillar(stem, branch))
            return {
              year: year ?? anyPillar,
              month: month ?? anyPillar,
              day: day ?? anyPillar,
              ...(hour && { hour }),
            }
          }
          expect(relationTexts(four(shuffled)).map(inOneOrder).toSorted()).toEqual(
            relationTexts(four(row)).map(inOneOrder).toSorted(),
          )
        },
      ),
    )
  })

  it('with a pillar from outside are those that it brings', () => {
    const chart = chartOf(birthAt('1990-05-15 14:30'))
    const year: StemBranch = { name: '丙午', stem: '丙', branch: '午' }

    expect(relationsWith(chart, year)).toEqual([
      { kind: '天干五合', of: ['month'], names: ['丙', '辛'], element: '水' },
      { kind: '三会', of: ['year', 'month', 'hour'], names: ['午', '午', '巳', '未'], element: '火' },
      { kind: '地支六合', of: ['hour'], names: ['午', '未'], element: '土' },
      { kind: '自刑', of: ['year'], names: ['午', '午'] },
    ])
  })

  it('may be made whole by a pillar from outside', () => {
    const chart = { pillars: ofBranches('申子子申') }

    expect(relationsWith(chart, { name: '戊辰', stem: '戊', branch: '辰' })).toContainEqual({
      kind: '三合',
      of: ['year', 'month', 'day', 'hour'],
      names: ['辰', '申', '子', '子', '申'],
      element: '水',
    })
  })
})
