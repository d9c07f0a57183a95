import { clausesOf } from '../skills/clauses.ts'
import { sentencesOf, type Sentence } from '../skills/posting-sections.ts'

/** How many years of experience are asked for, and where. */
export type YearsAsked = { readonly least: number; readonly quote: string }

const ENGLISH = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']
const CHINESE = '一二三四五六七八九十'
const NUMBER = String.raw`\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|[一两二三四五六七八九十]`
/** `3+ years`, `3-5年`, `五年以上`. A year of the calendar has four digits. */
const YEARS = new RegExp(
  [
    String.raw`(?<![[\d.\p{L}]--\p{Script=Han}])(${NUMBER})\s?\+?\s?`,
    String.raw`(?:(?:-|–|~|～|至|到|to)\s?(?:${NUMBER})\s?\+?\s?)?`,
    String.raw`(?:years?\b|yrs?\b|年(?!\d|代|龄|度|假|薪|终|级))`,
  ].join(''),
  'giv',
)
/** What makes years experience, and what makes them something else. */
const EXPERIENCE =
  /experience|background|working|经验|工作|从业|开发|years? (?:of|in|as|building|with|writing)/iu
const OTHERWISE =
  /\bago\b|founded|for over|for more than \d+ years|in business|history|years? old|成立|历史|周岁|contract|合同|毕业|vesting/iu
/** Greater numbers are not a requirement. */
const MAX_YEARS = 25

/** The years of experience that a posting asks for: of several demands the greatest, of a range its lower end. */
export function yearsAsked(description: string): YearsAsked | undefined {
  const clausesOfExperience = sentencesOf(description)
    .filter(speaksOfExperience)
    .flatMap(clausesOf)
    .filter(({ need }) => need !== 'nice')
  const all = clausesOfExperience.flatMap(({ text }) =>
    Array.from(text.matchAll(YEARS), ([, numeral = '']) => ({
      least: numberOf(numeral),
      quote: text.trim(),
    })),
  )
  return all.filter(({ least }) => least <= MAX_YEARS).toSorted((one, other) => other.least - one.least)[0]
}

function numberOf(numeral: string): number {
  if (numeral === '两') return 2
  const word = Math.max(ENGLISH.indexOf(numeral.toLowerCase()), CHINESE.indexOf(numeral))
  return word >= 0 ? word + 1 : Number(numeral)
}

function speaksOfExperience({ text, section }: Sentence): boolean {
  return section !== 'other' && !OTHERWISE.test(text) && (section === 'required' || EXPERIENCE.test(text))
}
