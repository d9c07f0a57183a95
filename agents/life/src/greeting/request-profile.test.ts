import { describe, expect, it } from 'vitest'

import { places } from '../places/places.ts'
import { readRequestProfile } from './request-profile.ts'

describe('a profile that comes along with a request', () => {
  it.each([
    [{ birth_info: { date: '1990-05-15', time: '', place: '', gender: 'other' } }],
    [{ birthDate: '1990-05-15', sex: 'x' }],
    [{ birthDate: '1990-05-15', gender: 5 }],
    [{ birthDate: '1990-05-15', birthPlace: '没有这个村子的村子', trueSolarTime: true }],
  ])('has a birth, whatever it says of gender and place: %j', async (fields) => {
    const { birth } = await readRequestProfile(fields, places())

    expect(birth).toMatchObject({ date: { year: 1990, month: 5, day: 15 } })
  })

  it.each([
    [{ birth_info: { date: '', time: '', place: '', gender: '' } }],
    [{ birth_info: { date: null, gender: 'female' } }],
    [{ birthDate: '  ', birthTime: '14:30' }],
    [{ gender: 'male' }],
    [{ display_name: '小雨', location: 'Berlin' }],
  ])('has none where it tells no day of birth: %j', async (fields) => {
    expect(await readRequestProfile(fields, places())).not.toHaveProperty('birth')
  })

  it.each([[{ birthDate: 'soon' }], [{ birthDate: 5 }], [{ birthDate: '1990-05-15', birthTime: '99' }]])(
    'is refused where what it tells is none: %j',
    async (fields) => {
      await expect(readRequestProfile(fields, places())).rejects.toThrow(/^profile\.birth(?:Date|Time): /)
    },
  )
})
