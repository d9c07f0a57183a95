import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { birthAt } from './birth.fixture.ts'
import { chartOf } from './chart-of.ts'
import { branches, stems, type Branch, type Chart, type Pillar, type Stem, type StemBranch } from './chart.ts'
import { relationsOf, relationsWith } from './relations.ts'

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
  it.each([
    // Two of each: what is between the two kinds, four times.
    ['子丑子丑', ['地支六合子丑土']],
    ['寅亥寅亥', ['地支六合寅亥木', '自刑亥亥', '相破寅亥']],
    ['卯戌卯戌', ['地支六合卯戌火']],
    ['辰酉辰酉', ['地支六合辰酉金', '自刑辰辰', '自刑酉酉']],
    ['巳申巳申', ['地支六合巳申水', '相刑巳申', '相破巳申']],
    ['午未午未', ['地支六合午未土', '自刑午午']],
    ['子午子午', ['六冲子午', '自刑午午']],
    ['丑未丑未', ['六冲丑未', '相刑丑未']],
    ['寅申寅申', ['六冲寅申', '相刑寅申']],
    ['卯酉卯酉', ['六冲卯酉', '自刑酉酉']],
    ['辰戌辰戌', ['六冲辰戌', '自刑辰辰']],
    ['巳亥巳亥', ['六冲巳亥', '自刑亥亥']],
    ['子未子未', ['六害子未']],
    ['丑午丑午', ['六害丑午', '自刑午午']],
    ['寅巳寅巳', ['六害寅巳', '相刑寅巳']],
    ['卯辰卯辰', ['六害卯辰', '自刑辰辰']],
    ['申亥申亥', ['六害申亥', '自刑亥亥']],
    ['酉戌酉戌', ['六害酉戌', '自刑酉酉']],
    ['子卯子卯', ['相刑子卯']],
    ['丑戌丑戌', ['相刑丑戌']],
    ['戌未戌未', ['相刑戌未', '相破戌未']],
    ['子酉子酉', ['相破子酉', '自刑酉酉']],
    ['丑辰丑辰', ['相破丑辰', '自刑辰辰']],
    ['卯午卯午', ['相破卯午', '自刑午午']],
    ['申子申子', ['半合申子水']],
    ['卯未卯未', ['半合卯未木']],
    ['申辰申辰', ['自刑辰辰']],
    ['申酉申酉', ['自刑酉酉']],
  ])('of %s', (row, kinds) => {
    const found = relationTexts(ofBranches(row))

    expect(new Set(found.map(inOneOrder))).toEqual(new Set(kinds.map(inOneOrder)))
  })

  it.each([
    ['申子辰申', ['三合申子辰申水']],
    ['亥卯未未', ['三合亥卯未未木']],
    ['寅卯辰寅', ['三会寅卯辰寅木', '六害卯辰']],
    ['寅巳申申', ['相刑寅巳申申', '地支六合巳申水', '六冲寅申', '六害寅巳', '相破巳申']],
    ['丑戌未丑', ['相刑丑戌未丑', '六冲丑未', '相破戌未']],
  ])('of %s are one, and no two of them are told again', (row, kinds) => {
    expect(new Set(relationTexts(ofBranches(row)).map(inOneOrder))).toEqual(new Set(kinds.map(inOneOrder)))
  })
})

/** What is said of two branches says the same of them in the other order. */
function inOneOrder(text: string): string {
  return text.split('').toSorted().join('')
}

describe('stems', () => {
  it.each([
    ['甲己', '天干五合甲己土'],
    ['乙庚', '天干五合乙庚金'],
    ['丙辛', '天干五合丙辛水'],
    ['丁壬', '天干五合丁壬木'],
    ['戊癸', '天干五合戊癸火'],
    ['甲庚', '天干相冲甲庚'],
    ['乙辛', '天干相冲乙辛'],
    ['丙壬', '天干相冲丙壬'],
    ['丁癸', '天干相冲丁癸'],
    ['戊甲', undefined],
  ])('%s', (row, relation) => {
    const [one = '甲', other = '甲'] = row.split('') as Stem[]
    const pillars = {
      year: pillar(one, '子'),
      month: pillar(other, '寅'),
      day: pillar(one, '子'),
    }

    expect(new Set(relationTexts(pillars).map(inOneOrder))).toEqual(
      new Set(relation ? [inOneOrder(relation)] : []),
    )
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
