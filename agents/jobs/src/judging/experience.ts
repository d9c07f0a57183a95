import { dateRanges, type DateRange } from '../resumes/markdown/dates.ts'

/** Months since the year 0: from the first of one to the end of the other. */
type Span = { readonly from: number; readonly to: number }

const MARKED = /^(#{1,6})\s+(.*)$/u
/** Of a heading that is only a line of its own, bold or with a colon, each word counts: "Project Manager" is somebody's work. */
const BARE =
  /^(?:(?:work |professional |employment |relevant |career )?(?:experience|employment|history)|work|education|academic background|projects?|volunteering|certifications?|awards|publications|(?:technical )?skills|summary|languages|(?:工作|项目|教育|实习|校园|志愿|职业|培训)(?:经历|经验|背景)|专业技能|技能|证书|自我评价|语言能力|获奖情况)$/iu
const LONGEST_HEADING = 80
const AT_WORK = /experience|employment|work|career|history|工作|实习|任职|从业|职业经历/iu
const ELSEWHERE =
  /education|studies|project|volunteer|certificat|course|award|publication|skill|summary|language|academic|award|教育|学历|项目|志愿|证书|奖|培训|技能|校园|语言|评价/iu
const CLAIM =
  /(\d{1,2})\s?\+?\s?(?:years?|年)(?:以上|多)?(?:的|\sof|\sin)?[^\n.。,，]{0,30}?(?:experience|经验)/giu
const MOST_READ = 20_000

/** The years of work that a resume shows by its dates, jobs at the same time counted once; where it has none, what it says of itself. */
export function yearsShown(resume: string, now: Date): number | undefined {
  const spans = spansOf(resume.slice(0, MOST_READ), now)
  if (spans.length === 0) return claimed(resume.slice(0, MOST_READ))
  let months = 0
  let reached = 0
  for (const { from, to } of spans.toSorted((one, other) => one.from - other.from)) {
    months += Math.max(0, to - Math.max(from, reached))
    reached = Math.max(reached, to)
  }
  return Math.round((months / 12) * 10) / 10
}

/** Those under a heading of work, or, where there is none, all but those under another heading. */
function spansOf(resume: string, now: Date): readonly Span[] {
  const work: Span[] = []
  const loose: Span[] = []
  let part: Part | undefined
  for (const line of resume.split('\n')) {
    part = partAt(line.trim(), part) ?? part
    if (part?.about === 'else') continue
    const all = dateRanges(line).map((range) => spanOf(range, now))
    const spans = all.filter(({ from, to }) => to > from)
    if (part) work.push(...spans)
    else loose.push(...spans)
  }
  return work.length > 0 ? work : loose
}

/** A part of a resume, and how deep its heading stands: those within it stand deeper, and name employers. */
type Part = { readonly about: 'work' | 'else'; readonly level: number }

function partAt(line: string, within: Part | undefined): Part | undefined {
  if (line.length > LONGEST_HEADING) return undefined
  const [, marks = '', words = ''] = MARKED.exec(line) ?? []
  const level = marks.length
  const heading = level > 0 ? words : line.replaceAll(/^[*【]+|[*】:：]+$/gu, '')
  // The first level may be the name of who it is about, with what they do.
  const isPart = BARE.test(heading) || (level > 1 && level <= (within?.level ?? level))
  if (!isPart) return undefined
  if (ELSEWHERE.test(heading)) return { about: 'else', level }
  return AT_WORK.test(heading) ? { about: 'work', level } : undefined
}

function spanOf({ start, end }: DateRange, now: Date): Span {
  const present = now.getUTCFullYear() * 12 + now.getUTCMonth() + 1
  const first = partsOf(start)
  const last = end === undefined ? undefined : partsOf(end)
  // `2019 – 2022` is told as three years, `2019 – 2019` as one.
  const to = last ? last.year * 12 + (last.month ?? (last.year === first.year ? 12 : 0)) : present
  return { from: first.year * 12 + (first.month ?? 1) - 1, to: Math.min(to, present) }
}

function partsOf(date: string): { readonly year: number; readonly month: number | undefined } {
  const [year, month] = date.split('-').map(Number)
  return { year: year ?? 0, month }
}

function claimed(resume: string): number | undefined {
  const all = Array.from(resume.matchAll(CLAIM), ([, years]) => Number(years)).filter((years) => years <= 50)
  return all.length > 0 ? Math.max(...all) : undefined
}
