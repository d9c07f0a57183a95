import { assert, asyncProperty, constantFrom, oneof, string } from 'fast-check'
import { describe, expect, it } from 'vitest'

import { isServiceError } from 'dragoman/errors'
import { isZone } from '../time-zone.ts'
import { findBirthPlace } from './find-birth-place.ts'
import { distance } from './distance.ts'
import { towns } from './gazetteer.ts'
import { places } from './places.ts'

const prefectures = Object.entries(cases.prefectures).flatMap(([province, names]) =>
  names.split(' ').map((name) => ({ province, name })),
)
import cases from '../../test/data/places.json' with { type: 'json' }

const atlas = places().forUser('ada')

/** The time that the list of all towns takes to load on a machine that does much else. */
const LOADING_MS = 60_000

describe('a place', () => {
  it.each(Object.entries(cases.towns))(
    '%s',
    async (name, { zone, country, ...point }) => {
      const found = await findBirthPlace(name, atlas)

      expect(found).toMatchObject({ name, zone, country })
      expect(distance(found, point)).toBeLessThan(10)
    },
    LOADING_MS,
  )

  it('is taken by its coordinates', async () => {
    expect(await findBirthPlace('48.85, 2.35', atlas)).toEqual({
      name: '48.85, 2.35',
      latitude: 48.85,
      longitude: 2.35,
      zone: 'Europe/Paris',
    })
  })

  it('keeps its name where both are given, as for one that was chosen of several', async () => {
    expect(await findBirthPlace('Springfield, US (39.8, -89.64)', atlas)).toEqual({
      name: 'Springfield, US',
      latitude: 39.8,
      longitude: -89.64,
      zone: 'America/Chicago',
    })
  })

  it.each([
    // They sound alike and are written differently.
    ['宜春', '江西省宜春市', '伊春', '黑龙江省伊春市'],
    ['苏州', '江苏省苏州市', '宿州', '安徽省宿州市'],
    ['泰州', '江苏省泰州市', '台州', '浙江省台州市'],
    ['福州', '福建省福州市', '抚州', '江西省抚州市'],
    ['榆林', '陕西省榆林市', '玉林', '广西壮族自治区玉林市'],
    ['吉林', '吉林省吉林市', '长春', '吉林省长春市'],
  ])('%s is %s, and %s is %s', async (one, itsWhole, other, whole) => {
    const [a, sameAsA, b, sameAsB] = await Promise.all(
      [one, itsWhole, other, whole].map((name) => findBirthPlace(name, atlas)),
    )

    expect({ ...a, name: '' }).toEqual({ ...sameAsA, name: '' })
    expect({ ...b, name: '' }).toEqual({ ...sameAsB, name: '' })
    expect(a && b && distance(a, b)).toBeGreaterThan(80)
  })

  it.each([
    ['Yichun', ['Heilongjiang', 'Jiangxi']],
    ['Taizhou', ['Jiangsu', 'Zhejiang']],
    ['Springfield', ['Missouri', 'Illinois']],
    ['朝阳区', ['Liaoning', 'Jilin']],
    ['圣地亚哥', []],
    ['吉林省', ['吉林']],
    ['内蒙古', ['内蒙古']],
    ['泰和县', ['Anhui']],
  ])('%s may be several, which are offered', async (name, admins) => {
    const refused = await findBirthPlace(name, atlas).catch((error: unknown) => error)

    expect(refused).toMatchObject({
      code: 'invalid-input',
      message: expect.stringContaining('birthPlace: ') as string,
      translations: { zh: expect.stringContaining(name) as string },
    })
    const offered = isServiceError(refused)
      ? (refused.details['places'] as { admin?: string; coordinates: string }[])
      : []
    expect(offered.length).toBeLessThanOrEqual(5)
    expect(offered.map(({ admin }) => admin)).toEqual(expect.arrayContaining(admins))
    for (const { coordinates } of offered) expect(await findBirthPlace(coordinates, atlas)).toBeDefined()
  })

  it.each(['', 'x', '乱七八糟', 'Nowhereville, Atlantis', 'UK', '日本', '95,3', '山'.repeat(101)])(
    '%j is none',
    async (name) => {
      await expect(findBirthPlace(name, atlas)).rejects.toMatchObject({ code: 'invalid-input' })
    },
  )

  it('is found or refused, whatever was typed', async () => {
    const sign = constantFrom(...'四川省成都市区县州盟族自治中国美, .-0159ParisTX()[]*+'.split(''))
    const text = oneof(string({ unit: 'binary', maxLength: 120 }), string({ unit: sign, maxLength: 40 }))
    await assert(
      asyncProperty(text, async (name) => {
        const found = await findBirthPlace(name, atlas).catch((error: unknown) => {
          if (isServiceError(error, 'invalid-input')) return undefined
          throw error
        })
        expect(found === undefined || isZone(found.zone)).toBe(true)
      }),
      { numRuns: 300 },
    )
  })
})

describe('the prefectures of China', () => {
  it('are all known, by their official names and by their short ones, in their provinces', async () => {
    const missed: string[] = []
    for (const { province, name } of prefectures) {
      const whole = await findBirthPlace(province + name, atlas).catch(() => undefined)
      const alone = await findBirthPlace(name, atlas).catch(() => undefined)
      if (!whole || !alone || distance(whole, alone) > 1) missed.push(province + name)
    }

    expect(prefectures).toHaveLength(333)
    expect(missed).toEqual([])
  })

  it('lie where the list of the world’s towns has them, in their province', async () => {
    const { pinyin } = await import('pinyin-pro')
    const far: string[] = []
    for (const town of towns().filter(({ isMajor, country }) => isMajor && country === 'CN')) {
      const name = pinyin(town.chinese, { toneType: 'none', type: 'array' }).join('')
      const [found] = await atlas.find(`${name}, ${town.province?.english}`)
      if (!found || distance(found, town) > 60) far.push(town.chinese)
    }

    expect(far).toEqual([])
  })
})
