import { withImplied } from '../skills/implied-skills.ts'
import { skillNames } from '../skills/skills-in.ts'
import { entryFindings, sentenceFindings } from './check-statement.ts'
import { foldText, sentencesOf } from './resume-lines.ts'
import type { Finding, Keywords, Mark, Warning } from './truth-shapes.ts'
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
}

/** Compares a tailored resume with its base resume and with the posting. */
export function truthOf(base: string, tailored: string, posting: string): Truth {
  const source = collectEvidence(base)
  const lines = statementsOf(tailored)
  const marks = lines.filter(({ role }) => role !== 'section').flatMap((line) => marksOf(line, source))
  return {
    clean: marks.length === 0,
    marks,
    warnings: warningsOf(source, lines, posting),
    keywords: keywordsOf(source.skills, skillsOf(lines), skillNames(posting)),
  }
}

/** The claims of a line that do not trace to the source. A line or sentence of the source is true. */
function marksOf(line: Statement, source: ResumeEvidence): readonly Mark[] {
  if (source.statements.has(foldText(line.text))) return []
  if (line.role === 'entry') return toMarks(entryFindings(line, source), line)
  return sentencesOf(line.text)
    .filter(({ text }) => !source.statements.has(foldText(text)))
    .flatMap(({ text, at }) => {
      const end = at + text.length
      const mentions = line.mentions.filter((mention) => mention.at >= at && mention.at < end)
      const sentence = { ...line, text, rest: line.rest.slice(at, end), mentions }
      return toMarks(sentenceFindings(sentence, source), sentence)
    })
}

/** Of two findings of a kind, one within the other, the longer one becomes a mark. */
function toMarks(findings: readonly Finding[], { text, at }: Statement): readonly Mark[] {
  const isWithin = (one: Finding, other: Finding): boolean =>
    one !== other && one.kind === other.kind && other.said.includes(one.said)
  return findings
    .filter((one, nth) =>
      findings.every((other, place) => !isWithin(one, other) || (one.said === other.said && place > nth)),
    )
    .map(({ kind, said }) => ({ kind, said, sentence: text, line: at }))
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
