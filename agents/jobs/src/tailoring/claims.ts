/** What a resume is divided into, whatever its headings are called. */
export type SectionName =
  | 'head'
  | 'summary'
  | 'work'
  | 'projects'
  | 'education'
  | 'skills'
  | 'certificates'
  | 'languages'
  | 'awards'
  | 'other'

/** A line of a resume, without its markup, in NFKC. An entry names an employer, a school, a project; an item stands in a list. */
export type Line = {
  /** From 1. */
  readonly at: number
  readonly text: string
  readonly role: 'section' | 'entry' | 'item' | 'prose'
  readonly section: SectionName
}

const NAMES: readonly (readonly [SectionName, RegExp])[] = [
  [
    'summary',
    /^(?:(?:professional|career|executive) )?(?:summary|profile|objective)$|^about(?: me)?$|^(?:个人|职业)?(?:简介|概述|总结|优势|评价)$|^自我(?:评价|介绍)$|^个人(?:简介|优势|总结|信息|资料)$|^基本信息$|^求职意向$/,
  ],
  [
    'work',
    /^(?:(?:work|professional|relevant|selected|industry) )?experience$|^(?:employment|work|career)(?: history)?$|^(?:工作|职业|实习|任职)(?:经历|经验|履历)$/,
  ],
  [
    'projects',
    /^(?:(?:selected|key|personal|side|open.source) )?projects?(?: experience)?$|^open.source$|^(?:主要|重点|个人|开源)?项目(?:经历|经验)?$/,
  ],
  [
    'education',
    /^education(?:al background| and training)?$|^academic background$|^(?:教育|学习)(?:背景|经历)$|^学历$/,
  ],
  [
    'skills',
    /^(?:(?:technical|core|key|professional|relevant|other) )?(?:skills?|competenc(?:y|ies)|strengths|technologies|expertise|tech stack)(?: (?:and|&) \w+)?$|^(?:专业|职业|核心|技术|个人|相关)?(?:技能|能力|技术栈|优势)(?:清单|特长)?$/,
  ],
  [
    'certificates',
    /^(?:licenses? (?:and|&) )?certifi(?:cations?|cates?)$|^(?:资格|职业|专业)?(?:证书|认证)(?:资质)?$|^资质$/,
  ],
  ['languages', /^languages?$|^语言(?:能力)?$/],
  ['awards', /^(?:awards?|honou?rs?)(?: (?:and|&) \w+)?$|^(?:荣誉|获奖|奖项)\S{0,4}$/],
  [
    'other',
    /^(?:(?:additional|other|personal)(?: information| details)?|interests|hobbies|references|publications|patents|volunteer(?:ing)?(?: experience)?|contact|(?:key |selected )?(?:achievements|highlights))$|^(?:其他|兴趣爱好|兴趣|联系方式|附加信息|论文|专利|志愿经历|校园经历)$/,
  ],
]

const BULLET = /^\s*(?:[-*+•●◦·▪–]|\d{1,3}[.)、])\s+/u
const HEADING = /^\s{0,3}(#{1,6})(?!#)(.*)$/u
const RULE = /^[-*_=:|\s]+$/u
const ENTRY_SIGNS =
  /\s[|·—–@]\s|\s-\s|(?:19[4-9]|20\d)\d\s*(?:[./年-]\s*\d{1,2}\s*月?\s*)?(?:-|–|—|~|至|到|to)/u
const ENTRY_LENGTH = 140
const WITH_ENTRIES: ReadonlySet<SectionName> = new Set([
  'work',
  'projects',
  'education',
  'certificates',
  'head',
])

/** Takes a resume in Markdown apart. */
export function linesOf(markdown: string): readonly Line[] {
  let section: SectionName = 'head'
  return markdown.split(/\r\n|\r|\n/u).flatMap((raw, index) => {
    if (RULE.test(raw)) return []
    const heading = HEADING.exec(raw)
    const text = plain(heading?.[2]?.trim().replace(/\s#{1,6}$/u, '') ?? raw.replace(BULLET, ''))
    if (text === '') return []
    const named = heading || isAlone(raw) ? sectionNamed(text) : undefined
    section = named ?? section
    return [{ at: index + 1, text, role: named ? 'section' : roleOf(raw, text, section), section } as const]
  })
}

function roleOf(raw: string, text: string, section: SectionName): Line['role'] {
  if (HEADING.test(raw)) return 'entry'
  if (BULLET.test(raw)) return 'item'
  const mayBeEntry = WITH_ENTRIES.has(section) && text.length <= ENTRY_LENGTH && !/[.。；;]$/u.test(text)
  const isEntry = section === 'education' || ENTRY_SIGNS.test(text) || /^\s*(?:\*\*|__)/u.test(raw)
  return mayBeEntry && isEntry ? 'entry' : 'prose'
}

/** A heading without `#`: bold, in capitals, or short Chinese on a line of its own. */
function isAlone(raw: string): boolean {
  const text = raw.trim()
  return text.length <= 40 && (/^(?:\*\*|__).*(?:\*\*|__):?$/u.test(text) || !/[\p{Ll},.，。]/u.test(text))
}

function sectionNamed(text: string): SectionName | undefined {
  const name = text
    .toLowerCase()
    .replace(/[:：\s]+$/u, '')
    .replace(/^[\d一二三四五六七八九十]+[.、]\s*/u, '')
  return NAMES.find(([, pattern]) => pattern.test(name))?.[0]
}

/** A line without its Markdown, in NFKC. What a link leads to stays: it is a claim too. */
export function plain(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/\s+/gu, ' ')
    .replace(/!?\[([^\]]{0,500})\]\(([^)\s]{0,2000})[^)]{0,500}\)/gu, '$1 $2')
    .replace(/<((?:https?:|mailto:)?[^<>\s]+)>/gu, '$1')
    .replace(/[*`~]+|(?<![\p{L}\p{N}])_+|_+(?![\p{L}\p{N}])/gu, '')
    .replace(/\\([\\`*_{}[\]()#+.!|-])/gu, '$1')
    .replace(/[‐‑‒]/gu, '-')
    .replace(/[‘’]/gu, "'")
    .replace(/\s*\|\s*/gu, ' | ')
    .replace(/\p{Cf}/gu, '')
    .replace(/\s+/gu, ' ')
    .replace(/^[ |]{1,40}|[ |]{1,40}$/gu, '')
}

/** As it is compared: what differs in signs, spaces and case alone is the same. */
export function folded(text: string): string {
  return text
    .toLowerCase()
    .replace(/[\s\p{P}]{1,40}$/u, '')
    .replace(/\s+/gu, ' ')
    .trim()
}

/** A full stop ends a sentence, but not after `B.Sc.` or `Inc.` */
const SENTENCE =
  /(?<=[.!?])(?<!\b(?:\p{Lu}\.\p{L}{0,3}|Inc|Ltd|Co|Corp|Sr|Jr|Dr|St|No|e\.g|i\.e)\.)\s+(?=[\p{Lu}\p{Script=Han}\d"'(])|(?<=[。!?；;])\s*|;\s+/u

export function sentencesOf(line: Line): readonly string[] {
  return line.text.split(SENTENCE).filter((sentence) => /[\p{L}\p{N}]/u.test(sentence))
}

const CLAUSE =
  /(?<!\d),|,(?!\d{3})|[、。；;:]|\s[–—-]\s|\b(?:and|plus|while|which|that|with|as well as|then)\b|(?:并且|同时|以及|从而|使得?|并|且|和|及|，)/iu

/** The parts of a sentence that say one thing each. */
export function clausesOf(sentence: string): readonly string[] {
  return sentence.split(CLAUSE).filter((clause) => /[\p{L}\p{N}]/u.test(clause))
}
