import type { Education, Project, Work } from '../json-resume.ts'
import type { Entry } from './entries.ts'
import { labeledValue, readEntryHeader, type EntryHeader } from './read-entry-header.ts'
import { keywordsOf } from './lists.ts'
import { plain } from '../../markdown/strip-markdown.ts'
import words from './resume-words.json' with { type: 'json' }
import {
  degreeAndField,
  isDegree,
  isOrganization,
  isPlace,
  isRole,
  isSchool,
  scoreIn,
} from './field-predicates.ts'

const { entryFields: FIELDS } = words

type Text = string | undefined
type Span = { startDate: Text; endDate: Text }

/** A single date of a job is all that it took. */
function span({ dates, range }: EntryHeader): Span {
  const { start, end } = dates
  return { startDate: start, endDate: end ?? (range ? undefined : start) }
}

function texts(lines: readonly Text[]): string[] {
  return lines.map((line) => plain(line ?? '')).filter((line) => line !== '')
}

function summaryOf(lines: readonly string[]): Text {
  return texts(lines).join('\n') || undefined
}

function websiteOf(header: EntryHeader): Text {
  return header.url ?? labeledValue(header, FIELDS.website)
}

/** Reads a job. */
export function readWork({ head, lines, bullets }: Entry): Work {
  const header = readEntryHeader(head)
  const { name, position, location, rest } = header.exact ? exactly(header, header.exact) : guessed(header)
  return {
    name,
    position,
    location: labeledValue(header, FIELDS.location) ?? location,
    description: rest.join(' | ') || undefined,
    url: websiteOf(header),
    ...span(header),
    summary: summaryOf(lines),
    highlights: texts(bullets),
  }
}

type Post = { name: Text; position: Text; location: Text; rest: readonly string[] }

function exactly({ parts }: EntryHeader, { before, after }: NonNullable<EntryHeader['exact']>): Post {
  return {
    name: after || undefined,
    position: before.join(' | ') || undefined,
    location: undefined,
    rest: parts,
  }
}

/** Which part is the firm and which the post: by their words, else as most write it, the firm first. */
function guessed(header: EntryHeader): Post {
  const parts = header.parts.flatMap(postAtFirm)
  const single = parts.find((part) => isPlace(part) && !isRole(part) && !isOrganization(part))
  const location = cityAndState(parts) ?? single
  const open = parts.filter((part) => part !== location && !location?.split(', ').includes(part))
  const label = {
    position: labeledValue(header, FIELDS.position),
    name: labeledValue(header, FIELDS.employer),
  }
  const position =
    label.position ?? open.find((part) => isRole(part) && !isOrganization(part)) ?? laterRole(open)
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
  const [, post, firm] = /^(.{2,80}?)\s+at\s+(\p{Lu}.*)$/su.exec(part) ?? []
  const isFirm = firm !== undefined && firm.length <= 81
  return post !== undefined && isFirm && isRole(post) ? [post, firm] : [part]
}

/** `San Francisco, CA` comes in two parts. */
function cityAndState(parts: readonly string[]): Text {
  const at = parts.findIndex(
    (part, index) => index > 0 && isPlace(`${parts[index - 1]}, ${part}`) && /^[A-Z]{2}$/.test(part),
  )
  return at > 0 ? `${parts[at - 1]}, ${parts[at]}` : undefined
}

/** Reads a school. */
export function readEducation({ head, lines, bullets }: Entry): Education {
  const header = readEntryHeader(head)
  const labels = labelledLines([...lines, ...bullets])
  const courses = labels.take(FIELDS.courses)
  const score =
    labeledValue(header, FIELDS.score) ?? labels.take(FIELDS.score) ?? header.parts.map(scoreIn).find(Boolean)
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

function exactSchool({ before, after }: NonNullable<EntryHeader['exact']>): School {
  const [studyType, ...area] = before
  return {
    institution: after || undefined,
    studyType: studyType || undefined,
    area: area.join(' | ') || undefined,
  }
}

function guessedSchool(header: EntryHeader): School {
  const parts = header.parts.filter((part) => scoreIn(part) === undefined && !isPlace(part))
  const institution =
    labeledValue(header, FIELDS.school) ?? parts.find(isSchool) ?? parts.find((part) => !isDegree(part))
  const open = parts.filter((part) => part !== institution)
  const degree = labeledValue(header, FIELDS.degree) ?? open.find(isDegree)
  const [studyType, field] = (degree !== undefined && degreeAndField(degree)) || [degree, undefined]
  const area = labeledValue(header, FIELDS.field) ?? field ?? open.find((part) => part !== degree)
  return { institution, studyType, area: area?.replace(/(.)专业$/, '$1') }
}

/** `Name: what it is`, which is no label. */
const NAMED = /^[*_]{0,3}([^:：*_]{1,60}?)[*_]{0,3}\s*[:：]\s*(?:[*_]{1,3}\s*)?(\S.*)$/su

/** Behind a project's name stands for whom it was, or what it is. */
function isSentence(text: string): boolean {
  return text.length > 40 || /[.。]$/.test(text) || /^(?:an?|the|一个|一款) /iu.test(text)
}

/** Reads a project. */
export function readProject({ head, lines, bullets }: Entry): Project {
  const header = readEntryHeader(head)
  const labels = labelledLines(lines)
  const points = labelledLines(bullets)
  const list = (names: readonly string[]): string[] | undefined => {
    const found =
      labeledValue(header, names) ?? labels.take(names) ?? (header.exact ? undefined : points.take(names))
    return found === undefined ? undefined : keywordsOf(found)
  }
  const { exact, parts } = header
  const named = exact || parts.length > 0 ? undefined : NAMED.exec(head[0] ?? '')
  const [name, ...rest] = exact ? [exact.before.join(' | ')] : [...texts([named?.[1]]), ...parts]
  const role = rest.find(isRole)
  const sentences = rest.filter((part) => part !== role && isSentence(part))
  const keywords = list(FIELDS.keywords)
  const roles = list(FIELDS.roles) ?? (role === undefined ? undefined : [role])
  const type = labeledValue(header, FIELDS.kind) ?? labels.take(FIELDS.kind)
  const description = labels.take(FIELDS.description)
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
          /^[*_]{0,3}([\p{L} ]{1,30}?)[*_]{0,3}\s*[:：]\s*(?:[*_]{1,3}\s*)?(\S.*)$/su.exec(line) ?? []
        if (value === undefined || !names.includes(name.trim().toLowerCase())) continue
        rest.splice(at, 1)
        return value
      }
      return undefined
    },
    rest: () => texts(rest),
  }
}
