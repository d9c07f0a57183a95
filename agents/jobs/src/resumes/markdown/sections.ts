import type { Language } from '../../words/language.ts'
import { createNameLookup } from './name-lookup.ts'
import words from './resume-words.json' with { type: 'json' }

/** What a part of a resume is about. */
export type Section = keyof typeof words.sections

const MAX_HEADING_LENGTH = 80
const sections = createNameLookup<Section>(words.sections)

/** The heading that we write for a section. */
export function headingOf(section: Section, language: Language): string {
  return sections.nameOf(section, language)
}

/** The section that a heading begins. Numbers, signs and spaces do not count: `【工作经历】`, `二、教 育 背 景`, `EDUCATION:`. */
export function sectionOf(heading: string): Section | undefined {
  if (heading.length > MAX_HEADING_LENGTH) return undefined
  const bare = heading
    .toLowerCase()
    .replace(/^\s*(?:[一二三四五六七八九十]{1,3}\s*[、.．]|\d{1,2}\s*[、.．)）])\s*/u, '')
    .replace(/^[^\p{L}\p{N}]+|(?<=[\p{L}\p{N}])[^\p{L}\p{N}]+$/gu, '')
    .replace(/(?<=\p{Script=Han})\s+(?=\p{Script=Han})/gu, '')
    .replace(/\s+/g, ' ')
  const latin = bare
    .replace(/[^\p{Script=Latin}&/ -]+/gu, '')
    .replace(/^[^\p{L}]+|(?<=\p{L})[^\p{L}]+$/gu, '')
  const chinese = bare.replace(/[^\p{Script=Han}]+/gu, '')
  const spaced = /^(?:\p{Script=Latin} )+\p{Script=Latin}$/u.test(bare) ? bare.replaceAll(' ', '') : bare
  const whole = sections.find(bare) ?? sections.find(spaced)
  if (whole || latin === '' || chinese === '') return whole
  // `技能 Skills`
  const [one, other] = [sections.find(chinese), sections.find(latin)]
  return one === other || other === undefined ? one : undefined
}
