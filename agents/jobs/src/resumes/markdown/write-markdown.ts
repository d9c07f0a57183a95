import type { Basics, Education, JsonResume, Project, Work } from '../json-resume.ts'
import type { Language } from '../../words/language.ts'
import { findDates } from './dates.ts'
import { readEntryHeader } from './read-entry-header.ts'
import { isLabel, nameOf, type Label } from './labels.ts'
import { escapeMarkdown } from '../../markdown/strip-markdown.ts'
import { headingOf, type Section } from './sections.ts'

/**
 * Writes a resume's data as Markdown that reads as the same data. An entry's heading is `### what @ where`, its time
 * stands under it; what of a text would be read as something else is escaped.
 */
export function writeMarkdown(data: JsonResume, language: Language): string {
  const pen = penOf(language)
  const sections: readonly (readonly [Section, readonly string[]])[] = [
    ['summary', paragraphs(data.basics?.summary)],
    ['work', (data.work ?? []).flatMap(pen.work)],
    ['projects', (data.projects ?? []).flatMap(pen.project)],
    ['education', (data.education ?? []).flatMap(pen.education)],
    ['skills', bullets((data.skills ?? []).map(({ name, level, keywords }) => item(name, level, keywords)))],
    ['certificates', (data.certificates ?? []).flatMap((each) => pen.given(each.name, each.issuer, each))],
    ['awards', (data.awards ?? []).flatMap((each) => pen.given(each.title, each.awarder, each))],
    [
      'publications',
      (data.publications ?? []).flatMap(({ name, publisher, releaseDate: date, url, summary }) =>
        pen.given(name, publisher, { date, url, summary }),
      ),
    ],
    [
      'volunteer',
      (data.volunteer ?? []).flatMap(({ organization, ...rest }) =>
        pen.work({ ...rest, name: organization }),
      ),
    ],
    [
      'languages',
      bullets((data.languages ?? []).map((each) => item(each.language, undefined, undefined, each.fluency))),
    ],
    [
      'interests',
      bullets((data.interests ?? []).map(({ name, keywords }) => item(name, undefined, keywords))),
    ],
    [
      'references',
      bullets(
        (data.references ?? []).map(({ name, reference }) => item(name, undefined, undefined, reference)),
      ),
    ],
  ]
  const output = sections.flatMap(([section, blocks]) =>
    blocks.length > 0 ? [`## ${headingOf(section, language)}`].concat(blocks) : [],
  )
  return `${[...head(data.basics, language), ...output].join('\n\n')}\n`
}

/** Marks that mean something in a heading and under it. */
const BARS = '@|｜'
const DIGITS = '0123456789'
const COMMAS = ',，、;；|｜'

type Details = {
  readonly date?: string | undefined
  readonly url?: string | undefined
  readonly summary?: string | undefined
}

type Pen = {
  work(work: Partial<Work>): string[]
  education(school: Education): string[]
  project(project: Project): string[]
  given(name: string | undefined, by: string | undefined, more: Details): string[]
}

function penOf(language: Language): Pen {
  const chinese = language === 'zh'
  const now = chinese ? '至今' : 'Present'
  const name = (english: string, other: string): string => (chinese ? `${other}：` : `${english}: `)
  const span = (start: string | undefined, end: string | undefined): string | undefined => {
    if (start === undefined) return end === undefined ? undefined : `– ${end}`
    return `${start} – ${end ?? now}`
  }
  const labelled = (label: string, value: string | undefined): string | undefined =>
    value === undefined ? undefined : `${label}${escapeMarkdown(value, BARS)}`
  const listed = (label: string, values: readonly string[] | undefined): string[] =>
    values && values.length > 0 ? [`${label}${values.map(keyword).join(', ')}`] : []

  return {
    work: ({ name: firm, position, location, description, url, startDate, endDate, summary, highlights }) => [
      heading(position, firm),
      ...facts([
        span(startDate, endDate),
        labelled(name('Location', '地点'), location),
        address(url, name('Website', '网址')),
      ]),
      ...(description === undefined ? [] : [`*${proof(description, BARS)}*`]),
      ...paragraphs(summary),
      ...bullets((highlights ?? []).map((text) => escapeMarkdown(text))),
    ],
    education: ({ institution, studyType, area, url, startDate, endDate, score, courses, highlights }) => [
      heading(studyType === undefined && area === undefined ? undefined : [studyType, area], institution),
      ...facts([
        span(startDate, endDate),
        labelled(name('GPA', '成绩'), score),
        address(url, name('Website', '网址')),
      ]),
      ...listed(name('Courses', '主修课程'), courses),
      ...bullets((highlights ?? []).map((text) => escapeMarkdown(text))),
    ],
    project: (project) => [
      titled(project.name, project.entity),
      ...facts([span(project.startDate, project.endDate), address(project.url, name('Website', '网址'))]),
      ...listed(name('Role', '角色'), project.roles),
      ...listed(name('Technologies', '技术栈'), project.keywords),
      ...(project.type === undefined ? [] : [`${name('Type', '类型')}${escapeMarkdown(project.type)}`]),
      ...paragraphs(project.description),
      ...bullets((project.highlights ?? []).map((text) => escapeMarkdown(text))),
    ],
    given: (title, by, { date, url, summary }) => [
      titled(title, by),
      ...facts([date, address(url, name('Website', '网址'))]),
      ...paragraphs(summary),
    ],
  }
}

function heading(
  what: string | undefined | readonly (string | undefined)[],
  where: string | undefined,
): string {
  const before = typeof what === 'string' ? [what] : (what ?? [])
  const output = (marks: string): string => {
    const names = before.map((each) => proof(each ?? '', marks)).join(' | ')
    return `### ${names} @ ${proof(where ?? '', marks)}`.replace(/\s+/g, ' ').trim()
  }
  const line = output(BARS)
  return findDates(line.slice(4)) ? output(BARS + DIGITS) : line
}

/** Without the mark where it reads the same without. */
function titled(name: string | undefined, by: string | undefined): string {
  const { parts, dates } = readEntryHeader([name ?? ''])
  const isPlain = by === undefined && parts.length === 1 && parts[0] === name && !dates.start && !dates.end
  return isPlain ? `### ${proof(name ?? '', BARS)}` : heading(name, by)
}

/** A text that holds no date and no address. */
function proof(text: string, marks: string): string {
  return escapeMarkdown(text, findDates(text) ? marks + DIGITS : marks).replace(/:(?=\/\/)/g, '\\:')
}

function facts(all: readonly (string | undefined)[]): string[] {
  const present = all.filter((fact) => fact !== undefined)
  return present.length > 0 ? [present.join(' | ')] : []
}

function address(url: string | undefined, label: string): string | undefined {
  if (url === undefined) return undefined
  return /^https?:\/\/[^\s<>|，；、（）()\\`*_[\]&]+$/i.test(url)
    ? url
    : `${label}${escapeMarkdown(url, BARS)}`
}

function paragraphs(text: string | undefined): string[] {
  return (text ?? '')
    .split(/\n+/)
    .filter((line) => line.trim() !== '')
    .map((line, at) => (at === 0 ? proof(line, '') : escapeMarkdown(line)))
}

function bullets(texts: readonly string[]): string[] {
  const lines = texts.filter((text) => text !== '').map((text) => `- ${text}`)
  return lines.length > 0 ? [lines.join('\n')] : []
}

function keyword(text: string): string {
  const open = text.replace(/[(（][^()（）]*[)）]/g, '')
  return escapeMarkdown(text, /[()（）]/.test(open) ? `${COMMAS}()（）·•/` : `${COMMAS}·•/`)
}

/** `**Name** (level): keyword, keyword`. */
function item(
  name: string | undefined,
  level: string | undefined,
  keywords: readonly string[] | undefined,
  text?: string,
): string {
  const title = name === undefined ? '' : `**${escapeMarkdown(name, ':：')}**`
  const degree = level === undefined ? '' : ` (${escapeMarkdown(level, '()（）')})`
  const rest = text === undefined ? (keywords ?? []).map(keyword).join(', ') : escapeMarkdown(text)
  return `${title}${degree}${rest === '' ? '' : `: ${rest}`}`
}

function head(basics: Basics | undefined, language: Language): string[] {
  if (!basics) return []
  const { name, label, location, profiles, email, phone, url, summary: _, image: _image, ...own } = basics
  const fact = (key: Label, value: unknown): string[] =>
    typeof value === 'string' && value !== ''
      ? [`${nameOf(key, language)}${language === 'zh' ? '：' : ': '}${escapeMarkdown(value, BARS)}`]
      : []
  const place = location && [
    location.address,
    location.city,
    location.region,
    location.postalCode,
    location.countryCode,
  ]
  const contacts = [
    ...fact('email', email),
    ...fact('phone', phone),
    ...fact('location', place?.filter(Boolean).join(', ')),
    ...fact('url', url),
    ...(profiles ?? []).flatMap(profileLine),
  ]
  const more = Object.entries(own).flatMap(([key, value]) => (isLabel(key) ? fact(key, value) : []))
  return [
    ...(name === undefined ? [] : [`# ${escapeMarkdown(name)}`]),
    ...(label === undefined ? [] : [escapeMarkdown(label, BARS)]),
    ...[contacts, more].filter((line) => line.length > 0).map((line) => line.join(' | ')),
  ]
}

function profileLine({ network, username, url }: NonNullable<Basics['profiles']>[number]): string[] {
  const where = url ?? username
  return where === undefined
    ? []
    : [`${escapeMarkdown(network ?? 'Profile', `${BARS}:：`)}: ${escapeMarkdown(where, BARS)}`]
}
