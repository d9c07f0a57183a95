import type { Education, Project, Work } from '../json-resume.ts'
import { isPlace } from './basics.ts'
import type { Entry } from './entries.ts'
import { labelledAs, readHeader, type Header } from './headers.ts'
import { keywordsOf } from './lists.ts'
import { plain } from '../../markdown/marks.ts'
import { degreeAndField, isDegree, isOrganisation, isRole, isSchool, scoreIn } from './words.ts'

const POSITION = ['position', 'title', 'role', 'job title', '职位', '岗位', '职务', '担任职务', '任职']
const EMPLOYER = ['company', 'employer', 'organization', 'organisation', '公司', '单位', '公司名称', '组织']
const LOCATION = ['location', 'city', '地点', '工作地点', '城市', '所在地']
const WEBSITE = ['website', 'url', 'link', '网站', '链接', '网址']
const SCHOOL = ['school', 'university', 'institution', '学校', '院校', '毕业院校']
const DEGREE = ['degree', '学历', '学位']
const FIELD = ['major', 'field', 'field of study', '专业', '所学专业']
const SCORE = ['gpa', 'grade', 'score', '成绩', '绩点', '平均分']
const COURSES = [
  'courses',
  'coursework',
  'relevant coursework',
  'relevant courses',
  '主修课程',
  '课程',
  '核心课程',
  '专业课程',
]
const KEYWORDS = [
  'keywords',
  'technologies',
  'tech stack',
  'stack',
  'tools',
  'built with',
  '技术栈',
  '关键词',
  '使用技术',
  '开发环境',
  '项目技术',
  '技术选型',
]
const ROLES = ['role', 'roles', '角色', '担任角色', '项目角色', '职责角色']
const DESCRIPTION = ['description', '项目描述', '描述', '项目介绍', '项目简介', '简介']
const KIND = ['type', '类型', '项目类型']

type Text = string | undefined
type Span = { startDate: Text; endDate: Text }

/** A single date of a job is all that it took. */
function span({ dates, range }: Header): Span {
  const { start, end } = dates
  return { startDate: start, endDate: end ?? (range ? undefined : start) }
}

function texts(lines: readonly Text[]): string[] {
  return lines.map((line) => plain(line ?? '')).filter((line) => line !== '')
}

function summaryOf(lines: readonly string[]): Text {
  return texts(lines).join('\n') || undefined
}

function websiteOf(header: Header): Text {
  return header.url ?? labelledAs(header, WEBSITE)
}

/** Reads a job. */
export function workOf({ head, lines, bullets }: Entry): Work {
  const header = readHeader(head)
  const { name, position, location, rest } = header.exact ? exactly(header, header.exact) : guessed(header)
  return {
    name,
    position,
    location: labelledAs(header, LOCATION) ?? location,
    description: rest.join(' | ') || undefined,
    url: websiteOf(header),
    ...span(header),
    summary: summaryOf(lines),
    highlights: texts(bullets),
  }
}

type Post = { name: Text; position: Text; location: Text; rest: readonly string[] }

function exactly({ parts }: Header, { before, after }: NonNullable<Header['exact']>): Post {
  return {
    name: after || undefined,
    position: before.join(' | ') || undefined,
    location: undefined,
    rest: parts,
  }
}

/** Which part is the firm and which the post: by their words, else as most write it, the firm first. */
function guessed(header: Header): Post {
  const parts = header.parts.flatMap(postAtFirm)
  const single = parts.find((part) => isPlace(part) && !isRole(part) && !isOrganisation(part))
  const location = cityAndState(parts) ?? single
  const open = parts.filter((part) => part !== location && !location?.split(', ').includes(part))
  const label = { position: labelledAs(header, POSITION), name: labelledAs(header, EMPLOYER) }
  const position =
    label.position ?? open.find((part) => isRole(part) && !isOrganisation(part)) ?? laterRole(open)
  const name = label.name ?? open.find((part) => part !== position)
  const rest = open.filter((part) => part !== position && part !== name)
  return {
    name,
    position: position ?? rest[0],
    location,
    rest: position === undefined ? rest.slice(1) : rest,
  }
}

function laterRole(parts: readonly string[]): Text {
  return parts.slice(1).find(isRole)
}

function postAtFirm(part: string): readonly string[] {
  const [, post, firm] = /^(.{2,80}?)\s+at\s+(\p{Lu}.{0,80})$/u.exec(part) ?? []
  return post !== undefined && firm !== undefined && isRole(post) ? [post, firm] : [part]
}

/** `San Francisco, CA` comes in two parts. */
function cityAndState(parts: readonly string[]): Text {
  const at = parts.findIndex(
    (part, index) => index > 0 && isPlace(`${parts[index - 1]}, ${part}`) && /^[A-Z]{2}$/.test(part),
  )
  return at > 0 ? `${parts[at - 1]}, ${parts[at]}` : undefined
}

/** Reads a school. */
export function educationOf({ head, lines, bullets }: Entry): Education {
  const header = readHeader(head)
  const labels = labelledLines([...lines, ...bullets])
  const courses = labels.take(COURSES)
  const score = labelledAs(header, SCORE) ?? labels.take(SCORE) ?? header.parts.map(scoreIn).find(Boolean)
  const { dates, range } = header
  return {
    ...(header.exact ? exactSchool(header.exact) : guessedSchool(header)),
    url: websiteOf(header),
    startDate: range ? dates.start : undefined,
    // The one year that is given is the one in which it ended.
    endDate: dates.end ?? (range ? undefined : dates.start),
    score,
    courses: courses === undefined ? undefined : keywordsOf(courses),
    highlights: labels.rest(),
  }
}

type School = { institution: Text; studyType: Text; area: Text }

function exactSchool({ before, after }: NonNullable<Header['exact']>): School {
  const [studyType, ...area] = before
  return {
    institution: after || undefined,
    studyType: studyType || undefined,
    area: area.join(' | ') || undefined,
  }
}

function guessedSchool(header: Header): School {
  const parts = header.parts.filter((part) => scoreIn(part) === undefined && !isPlace(part))
  const institution =
    labelledAs(header, SCHOOL) ?? parts.find(isSchool) ?? parts.find((part) => !isDegree(part))
  const open = parts.filter((part) => part !== institution)
  const degree = labelledAs(header, DEGREE) ?? open.find(isDegree)
  const [studyType, field] = (degree !== undefined && degreeAndField(degree)) || [degree, undefined]
  const area = labelledAs(header, FIELD) ?? field ?? open.find((part) => part !== degree)
  return { institution, studyType, area: area?.replace(/(.)专业$/, '$1') }
}

/** `Name: what it is`, which is no label. */
const NAMED = /^[*_]{0,3}([^:：*_]{1,60}?)[*_]{0,3}\s*[:：]\s*[*_]{0,3}\s*(\S.*)$/u

/** Behind a project's name stands for whom it was, or what it is. */
function isSentence(text: string): boolean {
  return text.length > 40 || /[.。]$/.test(text) || /^(?:an?|the|一个|一款) /iu.test(text)
}

/** Reads a project. */
export function projectOf({ head, lines, bullets }: Entry): Project {
  const header = readHeader(head)
  const labels = labelledLines(lines)
  const points = labelledLines(bullets)
  const list = (names: readonly string[]): string[] | undefined => {
    const found =
      labelledAs(header, names) ?? labels.take(names) ?? (header.exact ? undefined : points.take(names))
    return found === undefined ? undefined : keywordsOf(found)
  }
  const { exact, parts } = header
  const named = exact || parts.length > 0 ? undefined : NAMED.exec(head[0] ?? '')
  const [name, ...rest] = exact ? [exact.before.join(' | ')] : [...texts([named?.[1]]), ...parts]
  const role = rest.find(isRole)
  const sentences = rest.filter((part) => part !== role && isSentence(part))
  const keywords = list(KEYWORDS)
  const roles = list(ROLES) ?? (role === undefined ? undefined : [role])
  const type = labelledAs(header, KIND) ?? labels.take(KIND)
  const description = labels.take(DESCRIPTION)
  return {
    name: name || undefined,
    description:
      [...texts([named?.[2], description]), ...sentences, ...labels.rest()].join('\n') || undefined,
    highlights: points.rest(),
    keywords,
    ...span(header),
    url: websiteOf(header),
    roles,
    entity: exact
      ? exact.after || undefined
      : rest.find((part) => part !== role && !sentences.includes(part)),
    type,
  }
}

type Labelled = { take(names: readonly string[]): Text; rest(): string[] }

/** Lines of which some are `label: value`, with their marks still in the value. */
function labelledLines(lines: readonly string[]): Labelled {
  const rest = [...lines]
  return {
    take(names) {
      for (const [at, line] of rest.entries()) {
        const [, name = '', value] =
          /^[*_]{0,3}([\p{L} ]{1,30}?)[*_]{0,3}\s*[:：]\s*[*_]{0,3}\s*(\S.*)$/u.exec(line) ?? []
        if (value === undefined || !names.includes(name.trim().toLowerCase())) continue
        rest.splice(at, 1)
        return value
      }
      return undefined
    },
    rest: () => texts(rest),
  }
}
