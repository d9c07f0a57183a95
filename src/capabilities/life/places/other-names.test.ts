import { describe, expect, it } from 'vitest'

import { birthPlace } from './birth-place.ts'
import { places } from './places.ts'

describe('a place', () => {
  const known = places()

  it.each([
    ['墨西哥城', 'America/Mexico_City', 19.4, -99.1],
    ['阿皮亚', 'Pacific/Apia', -13.8, -171.8],
    ['漠河', 'Asia/Shanghai', 53, 122.5],
    ['臺北', 'Asia/Taipei', 25, 121.5],
    ['Ulaanbaatar', 'Asia/Ulaanbaatar', 47.9, 106.9],
    ['Penang, Malaysia', 'Asia/Kuala_Lumpur', 5.4, 100.3],
    ['Bali, Indonesia', 'Asia/Makassar', -8.7, 115.2],
    ['Jeju', 'Asia/Seoul', 33.5, 126.5],
  ])('is found by another of its names: %s', async (called, zone, north, east) => {
    const { latitude, longitude, ...found } = await birthPlace(called, known)

    expect(found).toMatchObject({ name: called, zone })
    expect(Math.abs(latitude - north) + Math.abs(longitude - east)).toBeLessThan(0.5)
  })
})
