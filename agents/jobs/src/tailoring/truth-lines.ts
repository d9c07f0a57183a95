import type { Language } from '../words/language.ts'
import { quoteUntrustedLine } from '@dragoman/agent-kit/text/quote-untrusted-line'
import type { Mark, MarkKind, Warning } from './mark.ts'
import type { Summary, Version } from './version.ts'

const KINDS: Readonly<Record<MarkKind, Readonly<Record<Language, string>>>> = {
  fabricated_skill: { en: 'skill not in the resume', zh: '简历中没有的技能' },
  fabricated_company: { en: 'employer not in the resume', zh: '简历中没有的公司' },
  fabricated_title: { en: 'title not in the resume', zh: '简历中没有的职位头衔' },
  fabricated_degree: { en: 'degree or school not in the resume', zh: '简历中没有的学历或学校' },
  fabricated_certificate: { en: 'certificate not in the resume', zh: '简历中没有的证书' },
  changed_number: { en: 'number not in the resume, or of something else', zh: '数字与简历不符' },
  changed_date: { en: 'date not in the resume', zh: '日期与简历不符' },
  invented_content: { en: 'not stated in the resume', zh: '简历中没有的内容' },
}
const WARNINGS: Readonly<Record<Warning['kind'], Readonly<Record<Language, string>>>> = {
  keyword_stuffing: { en: 'said too often', zh: '关键词堆砌' },
  copied_from_posting: { en: 'copied from the posting', zh: '照抄职位描述' },
  lost_section: { en: 'section left out', zh: '缺少的部分' },
  lost_entry: { en: 'employer or school left out', zh: '缺少的经历' },
  lost_skill: { en: 'skill left out', zh: '缺少的技能' },
  moved_line: { en: 'done at another employer in the resume', zh: '在原简历中属于另一段经历' },
  other_language: {
    en: 'written in another language than the resume, so its claims cannot be traced',
    zh: '与原简历语言不同，无法逐条核对',
  },
}
/** A model needs no more of them to say what is wrong. */
const MAX_LINES = 12
const MAX_PHRASE_LENGTH = 120

/** What the check found, a line each. */
export function truthLines({ truth }: Version, language: Language): readonly string[] {
  const { marks, warnings, keywords } = truth
  const lists = language === 'zh' ? '、' : ', '
  return [
    verdict(marks.length, language),
    ...marks.slice(0, MAX_LINES).map((mark) => markLine(mark, language)),
    ...more(marks.length, language),
    ...warnings
      .slice(0, MAX_LINES)
      .map(
        ({ kind, said }) => `- ${WARNINGS[kind][language]}: ${quoteUntrustedLine(said, MAX_PHRASE_LENGTH)}`,
      ),
    ...keywordLine(
      language === 'zh' ? '简历里有、可以加入的关键词' : 'Keywords that are safe to add',
      keywords.safe,
      lists,
    ),
    ...keywordLine(
      language === 'zh' ? '简历里没有、不能加入的关键词' : 'Keywords that are not true for the user',
      keywords.notTrueForYou,
      lists,
    ),
  ]
}

function verdict(marks: number, language: Language): string {
  if (language === 'zh') {
    return marks === 0
      ? '真实性检查：所有内容都能在原简历中找到依据。'
      : `真实性检查：有 ${marks} 处在原简历中找不到依据，发送前必须修改：`
  }
  if (marks === 0) return 'Truth check: every claim traces to the base resume.'
  const claims = marks === 1 ? '1 claim does' : `${marks} claims do`
  return `Truth check: ${claims} not trace to the base resume and must be mended before it is sent:`
}

function markLine({ kind, said, sentence }: Mark, language: Language): string {
  const words = quoteUntrustedLine(said, MAX_PHRASE_LENGTH)
  const where = quoteUntrustedLine(sentence, MAX_PHRASE_LENGTH)
  return words === where
    ? `- ${KINDS[kind][language]}: "${words}"`
    : `- ${KINDS[kind][language]}: "${words}" (${where})`
}

function more(marks: number, language: Language): readonly string[] {
  const rest = marks - MAX_LINES
  if (rest <= 0) return []
  return [language === 'zh' ? `- 另有 ${rest} 处` : `- and ${rest} more`]
}

function keywordLine(head: string, skills: readonly string[], lists: string): readonly string[] {
  return skills.length === 0 ? [] : [`${head}: ${skills.slice(0, 20).join(lists)}`]
}

/** What a version changed, in one line. */
export function changeLine({ origin, change }: Summary, language: Language): string {
  const { from, added, removed, sections } = change
  const names = sections.map((name) => quoteUntrustedLine(name, 40)).join(language === 'zh' ? '、' : ', ')
  if (language === 'zh') {
    const what =
      origin === 'restore' ? `恢复自版本 ${from}` : from === 'base' ? '由原简历定制' : `修改自版本 ${from}`
    return `${what}，+${added} −${removed} 行${names && `（${names}）`}`
  }
  const what =
    origin === 'restore'
      ? `restored from version ${from}`
      : from === 'base'
        ? 'tailored from the base'
        : `edited from version ${from}`
  return `${what}, +${added} −${removed} lines${names && ` in ${names}`}`
}
