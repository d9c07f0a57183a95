import { anyOf, wordPattern } from '../../words/word-pattern.ts'
import words from './resume-words.json' with { type: 'json' }

const ROLE = wordPattern(words.role)
const ORGANIZATION = wordPattern(words.organization)
const SCHOOL = wordPattern(words.school)
const DEGREE = wordPattern(words.degree)
/** A degree and its field. */
const DEGREE_AND_FIELD = new RegExp(
  [
    String.raw`^((?:bachelor|master|doctor|b\.?\s?sc?|b\.?a|b\.?eng|m\.?\s?sc?|m\.?a|m\.?eng|ph\.?\s?d)(?:'?s)?`,
    String.raw`(?: degree)?(?:\s+of\s+(?:science|arts|engineering|philosophy|business administration|laws?`,
    String.raw`|education|fine arts))?\.?)\s*(?:\s(?:in|of)\s|,\s*|:\s*)(.+)$`,
  ].join(''),
  'isu',
)
const SCORE = /^(?:gpa\s*)?(\d(?:\.\d{1,2})?\s*\/\s*\d(?:\.\d{1,2})?)$|^gpa\s*(\d(?:\.\d{1,2})?)$/iu
const PLACE = new RegExp(
  [
    String.raw`^(?:remote|远程)$`,
    String.raw`^\p{Lu}[\p{L} .'-]{1,40},\s?(?:[A-Z]{2}|\p{Lu}[\p{L} .-]{2,30})(?:,\s?[\p{L} ]{2,30})?(?:\s\d{5})?$`,
    String.raw`^\p{Script=Han}{2,12}[省市区县]$`,
    `^(?:中国)?${anyOf(words.chineseCities)}`.concat(
      String.raw`(?:市|[·\s-]\p{Script=Han}{2,8}|市?\p{Script=Han}{2,4}[区县])?$`,
    ),
    `^${anyOf(words.otherCities)}$`,
  ].join('|'),
  'u',
)

export function isRole(text: string): boolean {
  return ROLE.test(text)
}

export function isOrganization(text: string): boolean {
  return ORGANIZATION.test(text)
}

export function isSchool(text: string): boolean {
  return SCHOOL.test(text)
}

export function isDegree(text: string): boolean {
  return DEGREE.test(text)
}

/** Whether a text is most likely a place. */
export function isPlace(text: string): boolean {
  return PLACE.test(text.slice(0, 100))
}

/** `B.Sc. in Physics` is a degree and its field. */
export function degreeAndField(text: string): readonly [string, string] | undefined {
  const [, degree, field] = DEGREE_AND_FIELD.exec(text) ?? []
  return degree !== undefined && field !== undefined ? [degree.trim(), field.trim()] : undefined
}

/** A mark such as `3.8/4.0`. */
export function scoreIn(text: string): string | undefined {
  const [, of, bare] = SCORE.exec(text) ?? []
  return of ?? bare
}
