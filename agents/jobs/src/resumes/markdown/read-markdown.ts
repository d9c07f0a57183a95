import { withoutGaps, type JsonResume } from '../json-resume.ts'
import { readBasics } from './basics.ts'
import { readEducation, readProject, readWork } from './read-career-entry.ts'
import { entriesOf, type Entry } from './entries.ts'
import { readEntryHeader } from './read-entry-header.ts'
import { itemsOf } from './lists.ts'
import { addresses, plain } from '../../markdown/strip-markdown.ts'
import { outlineOf, type Block, type Part } from './outline.ts'
import type { Section } from './sections.ts'

/** A resume as data. `errors` say what of the text is not in it. */
export type ReadMarkdown = { readonly data: JsonResume; readonly errors: readonly string[] }

const MAX_ERRORS = 20
/** The longest resumes have a fourth of this, and no line of so many characters. */
const MAX_CHARACTERS = 200_000
const MAX_LINE_LENGTH = 5000

/** Reads a resume's Markdown. What we do not understand is nowhere but in the text, and said. */
export function readMarkdown(markdown: string): ReadMarkdown {
  const { head, parts } = outlineOf(bounded(markdown))
  const under = (section: Section): Block[] =>
    parts.filter((part) => part.section === section).flatMap(({ blocks }) => blocks)
  const entries = (section: Section): readonly Entry[] =>
    parts.filter((part) => part.section === section).flatMap(({ blocks }) => entriesOf(blocks))
  const { basics, left } = readBasics(head, [...under('personal'), ...objective(under('objective'))])
  const summary = [basics.summary, paragraphs(under('summary'))].filter(Boolean).join('\n') || undefined
  const data = withoutGaps({
    basics: { ...basics, summary },
    work: entries('work').map(readWork),
    volunteer: entries('volunteer').map(volunteerOf),
    education: entries('education').map(readEducation),
    awards: entries('awards').map(awardOf),
    certificates: entries('certificates').map(certificateOf),
    publications: entries('publications').map(publicationOf),
    skills: itemsOf(under('skills')).map(({ name, level, keywords }) => ({ name, level, keywords })),
    languages: itemsOf(under('languages')).map(({ name, level, text }) => ({
      language: name,
      fluency: level ?? text,
    })),
    interests: itemsOf(under('interests')).map(({ name, keywords }) => ({ name, keywords })),
    references: itemsOf(under('references')).map(({ name, text }) => ({ name, reference: text })),
    projects: entries('projects').map(readProject),
  }) as JsonResume
  const isLong = markdown.length > MAX_CHARACTERS
  return { data, errors: [...(isLong ? [tooLong()] : []), ...complaints(data, parts, left)] }
}

function tooLong(): string {
  const count = MAX_CHARACTERS.toLocaleString('en-US')
  return `Only the first ${count} characters were read as data: the rest is kept in the text only.`
}

/** As much of a text as is looked at, so that none takes long. */
function bounded(markdown: string): string {
  const lines = markdown.slice(0, MAX_CHARACTERS).split(/\r\n?|\n/)
  return lines.map((line) => line.slice(0, MAX_LINE_LENGTH)).join('\n')
}

function paragraphs(blocks: readonly Block[]): string {
  return blocks.map(({ kind, text }) => (kind === 'bullet' ? `- ${plain(text)}` : plain(text))).join('\n')
}

/** What is wanted, where nothing says that it is that. */
function objective(blocks: readonly Block[]): readonly Block[] {
  return blocks.map((block) =>
    /[:：]/.test(block.text) ? block : { ...block, text: `objective: ${block.text}` },
  )
}

type Distinction = Pick<
  NonNullable<JsonResume['awards']>[number],
  'title' | 'awarder' | 'date' | 'summary'
> & {
  readonly url: string | undefined
}

/** An award, a certificate or a publication: its name, who gave it, and when. */
function distinctionOf({ head, lines, bullets }: Entry): Distinction {
  const { exact, parts, dates, url } = readEntryHeader(head)
  const [title, ...rest] = exact ? [exact.before.join(' | ')] : parts
  return {
    title: title || undefined,
    awarder: (exact ? exact.after : rest.join(', ')) || undefined,
    date: dates.start ?? dates.end,
    summary: [...lines, ...bullets].map(plain).join('\n') || undefined,
    url: url ?? [...lines, ...bullets].flatMap(addresses)[0],
  }
}

type Items<Key extends keyof JsonResume> =
  NonNullable<JsonResume[Key]> extends readonly (infer Item)[] ? Item : never

function awardOf(entry: Entry): Items<'awards'> {
  const { title, awarder, date, summary } = distinctionOf(entry)
  return { title, awarder, date, summary }
}

function certificateOf(entry: Entry): Items<'certificates'> {
  const { title: name, awarder: issuer, date, url } = distinctionOf(entry)
  return { name, issuer, date, url }
}

function publicationOf(entry: Entry): Items<'publications'> {
  const { title: name, awarder: publisher, date: releaseDate, url, summary } = distinctionOf(entry)
  return { name, publisher, releaseDate, url, summary }
}

function volunteerOf(entry: Entry): Items<'volunteer'> {
  const { name: organization, position, url, startDate, endDate, summary, highlights } = readWork(entry)
  return { organization, position, url, startDate, endDate, summary, highlights }
}

function complaints(data: JsonResume, parts: readonly Part[], unread: readonly string[]): readonly string[] {
  const unknown = parts.filter(({ section, blocks }) => section === undefined && blocks.length > 0)
  const found = [
    ...(data.basics?.name === undefined ? ['No name was found.'] : []),
    ...(data.work || data.education || data.projects || data.skills
      ? []
      : [
          'No work, education, projects or skills were found: give each a heading, such as "## Work experience".',
        ]),
    ...unknown.map(
      ({ title }) => `The section "${short(title)}" is not one that we know: it is kept in the text only.`,
    ),
    ...unread.map((line) => `"${short(line)}" was not understood: it is kept in the text only.`),
    ...undated(data),
  ]
  return found.length > MAX_ERRORS
    ? [...found.slice(0, MAX_ERRORS - 1), `${found.length - MAX_ERRORS + 1} more parts were not understood.`]
    : found
}

function undated(data: JsonResume): readonly string[] {
  return (data.work ?? [])
    .filter(({ startDate, endDate }) => startDate === undefined && endDate === undefined)
    .map(({ name, position }) => `No dates were found for the work "${short(name ?? position ?? '')}".`)
}

function short(text: string): string {
  const line = plain(text)
  return line.length > 80 ? `${line.slice(0, 80)}…` : line
}
