import { describe, expect, it } from 'vitest'

import { findBirthPlace } from './birth-place.ts'
import { places } from './places.ts'

describe('a place', () => {
  const atlas = places()

  it.each([
    ['墨西哥城', 'America/Mexico_City', 19.4, -99.1],
    ['阿皮亚', 'Pacific/Apia', -13.8, -171.8],
    ['漠河', 'Asia/Shanghai', 53, 122.5],
    ['臺北', 'Asia/Taipei', 25, 121.5],
    ['Ulaanbaatar', 'Asia/Ulaanbaatar', 47.9, 106.9],
    ['Penang, Malaysia', 'Asia/Kuala_Lumpur', 5.4, 100.3],
    ['Bali, Indonesia', 'Asia/Makassar', -8.7, 115.2],
    ['Jeju', 'Asia/Seoul', 33.5, 126.5],
    ['Kashi', 'Asia/Urumqi', 39.5, 76],
    ['St. Petersburg, Russia', 'Europe/Moscow', 59.9, 30.3],
    // That in Florida, of which the list has this very name, is a twentieth of its size.
    ['St Petersburg', 'Europe/Moscow', 59.9, 30.3],
    ['St Petersburg, FL', 'America/New_York', 27.8, -82.7],
    ['Pusan', 'Asia/Seoul', 35.1, 129],
    ['Nanking, P.R. China', 'Asia/Shanghai', 32.1, 118.8],
    ["Chengdu, People's Republic of China", 'Asia/Shanghai', 30.7, 104.1],
    ['Hong Kong, China', 'Asia/Hong_Kong', 22.3, 114.2],
    ['Macau China', 'Asia/Macau', 22.2, 113.5],
    ['Taipei, China', 'Asia/Taipei', 25, 121.6],
    // Former names, as they stand in papers.
    ['襄樊', 'Asia/Shanghai', 32, 112.1],
    ['渡口市', 'Asia/Shanghai', 26.6, 101.7],
    ['四川省万县市', 'Asia/Shanghai', 30.8, 108.4],
    ['四川省重庆市', 'Asia/Shanghai', 29.6, 106.6],
    ['广东省海口市', 'Asia/Shanghai', 20, 110.3],
  ])('is found by another of its names: %s', async (called, zone, north, east) => {
    const { latitude, longitude, ...found } = await findBirthPlace(called, atlas)

    expect(found).toMatchObject({ name: called, zone })
    expect(Math.abs(latitude - north) + Math.abs(longitude - east)).toBeLessThan(0.5)
  })

  it.each([
    // Towns elsewhere are called, or sound, the same.
    ['项城', 'Asia/Shanghai', 33.4, 114.9],
    ['山东禹城', 'Asia/Shanghai', 36.9, 116.6],
    ['佛山南海区', 'Asia/Shanghai', 23, 113.1],
    ['兴安县', 'Asia/Shanghai', 25.6, 110.7],
    ['甘南县', 'Asia/Shanghai', 47.9, 123.5],
    ['阿坝县', 'Asia/Shanghai', 32.9, 101.7],
    ['大田县', 'Asia/Shanghai', 25.7, 117.9],
    ['台北市大安区', 'Asia/Taipei', 25, 121.5],
    ['台湾彰化县', 'Asia/Taipei', 24.1, 120.5],
    ['北海道札幌', 'Asia/Tokyo', 43.1, 141.4],
    ['日本北海道札幌市', 'Asia/Tokyo', 43.1, 141.4],
    ['美国德州休斯顿', 'America/Chicago', 29.8, -95.4],
    ['美国加州洛杉矶', 'America/Los_Angeles', 34.1, -118.2],
    ['加拿大安大略省多伦多', 'America/Toronto', 43.7, -79.4],
    ['首尔特别市江南区', 'Asia/Seoul', 37.6, 127],
    ['大阪府大阪市', 'Asia/Tokyo', 34.7, 135.5],
    ['东京都新宿区', 'Asia/Tokyo', 35.7, 139.7],
    ['内蒙赤峰', 'Asia/Shanghai', 42.3, 119],
    ['青海海南州', 'Asia/Shanghai', 36.3, 100.6],
    ['Paris (Texas)', 'America/Chicago', 33.7, -95.6],
    ['元朗', 'Asia/Hong_Kong', 22.4, 114],
  ])('is itself, and no other of nearly that name: %s', async (called, zone, north, east) => {
    const found = await findBirthPlace(called, atlas)

    expect(found.zone).toBe(zone)
    expect(Math.abs(found.latitude - north) + Math.abs(found.longitude - east)).toBeLessThan(0.5)
  })

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
