import { toSingleLine } from '@dragoman/agent-kit/text/to-single-line'
import type { Language } from '../language.ts'
import type { Birth, CalendarDate, ChartOptions, TimeOfDay } from './birth.ts'

/** What the server understood of a birth, in one line for its user. */
export function birthText({ date, time, gender, place, options }: Birth, language: Language): string {
  const where = place ? toSingleLine(place.name, 60) : { zh: '出生地未填', en: 'place not given' }[language]
  const sex = { male: { zh: '男', en: 'male' }, female: { zh: '女', en: 'female' } }[gender][language]
  const parts = [dateText(date, language), timeText(time, language), where, sex]
  return [...parts, ...optionsText(options, language)].join(language === 'zh' ? '，' : ', ')
}

/** A day as its own calendar has it. */
export function dateText({ calendar, year, month, day, leap }: CalendarDate, language: Language): string {
  if (language === 'zh') {
    return calendar === 'lunar'
      ? `农历${year}年${leap ? '闰' : ''}${MONTHS[month - 1]}月${lunarDay(day)}`
      : `${year}年${month}月${day}日`
  }
  const formatted = `${year}-${two(month)}-${two(day)}`
  return calendar === 'lunar' ? `lunar ${formatted}${leap ? ' (leap month)' : ''}` : formatted
}

const MONTHS = '正二三四五六七八九十冬腊'
const DIGITS = '一二三四五六七八九十'

/** 初一 to 三十. */
function lunarDay(day: number): string {
  if (day === 20 || day === 30) return `${DIGITS[day / 10 - 1]}十`
  return `${'初十廿'[Math.ceil(day / 10) - 1]}${DIGITS[(day - 1) % 10]}`
}

function timeText(time: TimeOfDay | undefined, language: Language): string {
  if (!time) return { zh: '时辰不详', en: 'hour not known' }[language]
  const clock = `${two(time.hour)}:${two(time.minute)}`
  return time.approximate ? { zh: `约 ${clock}`, en: `about ${clock}` }[language] : clock
}

/** Those choices that are not the usual ones. */
function optionsText({ dayBoundary, trueSolarTime, applyDst }: ChartOptions, language: Language): string[] {
  const texts = [
    dayBoundary === '00:00' && { zh: '零点换日', en: 'days change at midnight' },
    trueSolarTime && { zh: '按真太阳时', en: 'by true solar time' },
    !applyDst && { zh: '不扣夏令时', en: 'summer time not taken off' },
  ]
  return texts.flatMap((words) => (words ? [words[language]] : []))
}

function two(number: number): string {
  return String(number).padStart(2, '0')
}
