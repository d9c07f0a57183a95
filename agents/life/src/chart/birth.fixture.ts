import { usualOptions, type Birth, type ChartOptions, type Gender } from '../birth/birth.ts'
import type { Place } from '../places/place.ts'
import type { Chart } from './chart.ts'

type BirthOptions = {
  readonly gender?: string | undefined
  readonly place?: Place | undefined
  readonly options?: Partial<ChartOptions> | undefined
  readonly lunar?: boolean | undefined
  readonly leap?: boolean | undefined
}

/** A birth as `1990-03-15 10:30`, or a day alone; a man's without a place unless it says otherwise. */
export function birthAt(
  text: string,
  { gender = 'male', place, options, lunar, leap }: BirthOptions = {},
): Birth {
  const [date = '', time] = text.split(' ')
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number)
  const [hour = 0, minute = 0] = time?.split(':').map(Number) ?? []
  return {
    date: { calendar: lunar ? 'lunar' : 'solar', year, month, day, ...(leap && { leap }) },
    ...(time && { time: { hour, minute } }),
    gender: gender as Gender,
    ...(place && { place }),
    options: { ...usualOptions, ...options },
  }
}

/** The pillars in a row, as 庚午 己卯 己卯 己巳. */
export function inARow({ pillars: { year, month, day, hour } }: Pick<Chart, 'pillars'>): string {
  return [year, month, day, ...(hour ? [hour] : [])].map(({ name }) => name).join(' ')
}

const place = (name: string, latitude: number, longitude: number, zone: string): Place => ({
  name,
  latitude,
  longitude,
  zone,
})

export const beijing: Place = place('北京', 39.9, 116.4, 'Asia/Shanghai')
export const shanghai: Place = place('上海', 31.23, 121.47, 'Asia/Shanghai')
export const urumqi: Place = place('乌鲁木齐', 43.8, 87.6, 'Asia/Urumqi')
export const kashgar: Place = place('喀什', 39.47, 75.99, 'Asia/Urumqi')
export const chengdu: Place = place('成都', 30.67, 104.07, 'Asia/Shanghai')
export const harbin: Place = place('哈尔滨', 45.75, 126.65, 'Asia/Shanghai')
export const hongKong: Place = place('香港', 22.28, 114.16, 'Asia/Hong_Kong')
export const newYork: Place = place('New York', 40.71, -74.01, 'America/New_York')
export const london: Place = place('London', 51.51, -0.13, 'Europe/London')

export const placesByName: Readonly<Record<string, Place>> = {
  beijing,
  shanghai,
  urumqi,
  kashgar,
  hongKong,
  newYork,
}
