import { describe, expect, it } from 'vitest'

import { findBirthPlace } from './find-birth-place.ts'
import { distance } from './distance.ts'
import { places } from './places.ts'
import cases from '../../test/data/places.json' with { type: 'json' }

describe('a place', () => {
  const atlas = places().forUser('ada')

  it.each(Object.entries(cases.otherNames))(
    'is found by another of its names: %s',
    async (name, { zone, ...point }) => {
      const found = await findBirthPlace(name, atlas)

      expect(found).toMatchObject({ name, zone })
      expect(distance(found, point)).toBeLessThan(50)
    },
  )

  it.each(Object.entries(cases.similarNames))(
    'is itself, and no other of nearly that name: %s',
    async (name, { zone, ...point }) => {
      const found = await findBirthPlace(name, atlas)

      expect(found.zone).toBe(zone)
      expect(distance(found, point)).toBeLessThan(50)
    },
  )

  it.each([
    '西安区',
    '大同区',
    '中山区',
    '新北区',
    '开平区',
    '北海道',
    '长沙湾',
    '阿里山',
    '美国缅因州波特兰',
  ])('is not guessed where %s is another than the town with which it begins or ends', async (called) => {
    await expect(findBirthPlace(called, atlas)).rejects.toMatchObject({ details: { field: 'birthPlace' } })
  })
})
