import { quoteUntrustedLine } from '@dragoman/agent-kit/text/quote-untrusted-line'
import type { Language } from '../words/language.ts'
import { localize, type BilingualText } from '../words/localize.ts'
import type { Mark } from './truth-shapes.ts'
import texts from './texts.json' with { type: 'json' }
import type { Summary, Version } from './version.ts'

/** A model that knows so many of them knows what is wrong. */
const MAX_LINES = 12
const MAX_KEYWORDS = 20
const MAX_PHRASE_LENGTH = 120
const MAX_SECTION_LENGTH = 40

/** The findings of the truth check, one per line. */
export function truthLines({ truth, openMarks: count }: Version, language: Language): readonly string[] {
  const { marks, warnings, keywords } = truth
  const keywordLine = (head: BilingualText, skills: readonly string[]): readonly string[] => {
    const list = skills.slice(0, MAX_KEYWORDS).join(localize(texts.comma, language))
    return skills.length === 0 ? [] : [`${localize(head, language)}: ${list}`]
  }
  const verdict = count === 0 ? texts.clean : count === 1 ? texts.oneMark : texts.someMarks
  return [
    localize(verdict, language, { count }),
    ...marks.slice(0, MAX_LINES).map((mark) => markLine(mark, language)),
    ...(count > MAX_LINES ? [localize(texts.more, language, { count: count - MAX_LINES })] : []),
    ...warnings
      .slice(0, MAX_LINES)
      .map(({ kind, said }) => `- ${localize(texts.warnings[kind], language)}: ${quoted(said)}`),
    ...keywordLine(texts.safeKeywords, keywords.safe),
    ...keywordLine(texts.falseKeywords, keywords.notTrueForYou),
  ]
}

function markLine({ kind, said, sentence }: Mark, language: Language): string {
  const line = `- ${localize(texts.marks[kind], language)}: "${quoted(said)}"`
  return quoted(said) === quoted(sentence) ? line : `${line} (${quoted(sentence)})`
}

function quoted(text: string): string {
  return quoteUntrustedLine(text, MAX_PHRASE_LENGTH)
}

/** What a version changed, in one line. */
export function changeLine({ origin, change }: Summary, language: Language): string {
  const { from, added, removed } = change
  const origins = from === 'base' ? texts.tailored : texts.edit
  const what = localize(origin === 'restore' ? texts.restore : origins, language, { from })
  const sections = change.sections
    .map((name) => quoteUntrustedLine(name, MAX_SECTION_LENGTH))
    .join(localize(texts.comma, language))
  return localize(sections === '' ? texts.change : texts.changeIn, language, {
    what,
    added,
    removed,
    sections,
  })
}
