import { usualOptions, type Birth } from '../birth/birth.ts'
import type { Place } from '../places/place.ts'
import type { Profile, Profiles } from '../profile/profile.ts'

const chengdu: Place = {
  name: '成都',
  latitude: 30.66,
  longitude: 104.07,
  zone: 'Asia/Shanghai',
  country: 'CN',
}

/** 戊辰 戊午 丁巳, and no hour. */
export const hourUnknown: Birth = {
  date: { calendar: 'solar', year: 1988, month: 7, day: 1 },
  gender: 'female',
  place: chengdu,
  options: usualOptions,
}
/** 戊辰 戊午 丁巳 丁未: an hour of summer time was taken off. */
export const inSummerTime: Birth = { ...hourUnknown, time: { hour: 15, minute: 30 } }

/** The profiles of a user with this birth. Changes have no effect. */
export function person(birth?: Birth): Profiles {
  const get = async (): Promise<Profile> => ({
    preferences: { memory: true },
    told: {},
    ...(birth && { birth }),
  })
  return { get, change: get, remove: async () => undefined }
}
