import { withImplied } from '../skills/implied-skills.ts'
import { skillNames } from '../skills/skills-in.ts'
import { entryFindings, sentenceFindings } from './check-statement.ts'
import { foldText, sentencesOf } from './resume-lines.ts'
import { boundFindings, boundMarks, boundWarnings, toMark, type Bounded } from './truth-bounds.ts'
import type { Finding, Keywords, Mark, Omissions, Warning } from './truth-shapes.ts'
import {
  skillsOf,
  collectEvidence,
  statementsOf,
  type ResumeEvidence,
  type Statement,
} from './resume-evidence.ts'
import { warningsOf } from './warnings.ts'

/** What a comparison of texts says of a tailored resume. */
export type Truth = {
  /** Every claim traces to the base resume. */
  readonly clean: boolean
  readonly marks: readonly Mark[]
  readonly warnings: readonly Warning[]
  readonly keywords: Keywords
  readonly omitted?: Omissions
}

/** Compares a tailored resume with its base resume and with the posting. */
export function truthOf(base: string, tailored: string, posting: string): Truth {
  const source = collectEvidence(base)
  const lines = statementsOf(tailored)
  const claims = lines.filter(({ role }) => role !== 'section')
  const marks = boundMarks(claims.flatMap((line) => marksOf(line, source)))
  const warnings = boundWarnings(warningsOf(source, lines, posting))
  const omitted: Omissions = { marks: marks.omitted, warnings: warnings.omitted }
  return {
    clean: marks.shown.length === 0,
    marks: marks.shown,
    warnings: warnings.shown,
    keywords: keywordsOf(source.skills, skillsOf(lines), skillNames(posting)),
    ...(omitted.marks + omitted.warnings > 0 && { omitted }),
  }
}

/** The claims of a line that do not trace to the source. A line or sentence of the source is true. */
function marksOf(line: Statement, source: ResumeEvidence): readonly Bounded<Mark>[] {
  if (source.statements.has(foldText(line.text))) return []
  if (line.role === 'entry') return [toMarks(entryFindings(line, source), line)]
  return sentencesOf(line.text)
    .filter(({ text }) => !source.statements.has(foldText(text)))
    .map(({ text, at }) => {
      const end = at + text.length
      const mentions = line.mentions.filter((mention) => mention.at >= at && mention.at < end)
      const sentence = { ...line, text, rest: line.rest.slice(at, end), mentions }
      return toMarks(sentenceFindings(sentence, source), sentence)
    })
}

function toMarks(findings: readonly Finding[], { text, at }: Statement): Bounded<Mark> {
  const { shown, omitted } = boundFindings(findings)
  return { shown: shown.map((finding) => toMark(finding, text, at)), omitted }
}

function keywordsOf(
  base: ReadonlySet<string>,
  tailored: ReadonlySet<string>,
  posting: ReadonlySet<string>,
): Keywords {
  // Kafka implies message queues: these are true, but not words of the resume.
  const implied = withImplied(base)
  return {
    used: [...posting].filter((skill) => base.has(skill) && tailored.has(skill)),
    safe: [...posting].filter((skill) => base.has(skill) && !tailored.has(skill)),
    notTrueForYou: [...posting].filter((skill) => !implied.has(skill)),
  }
}
