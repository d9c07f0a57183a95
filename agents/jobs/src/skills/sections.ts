/** What a part of a posting is about. */
export type Section = 'required' | 'nice' | 'duties' | 'other'

/** A sentence of a posting, as it stands there, and under which heading. */
export type Sentence = { readonly text: string; readonly section: Section | undefined }

const HEADINGS: readonly (readonly [Section, RegExp])[] = [
  [
    'nice',
    /^(?:nice[- ]to[- ]haves?|preferred|bonus(?: points)?|pluses|a plus|desir(?:able|ed)|good to have|extra credit|what would be nice|it would be great|加分|优先|优选|有以下|锦上添花)/iu,
  ],
  [
    'required',
    /^(?:(?:minimum |basic |key |job |core |essential |technical |required )?(?:requirements?|qualifications?|skills?(?: and|&| required|$)|experience(?: required|$))|must[- ]haves?|required|what (?:we(?:’|')re looking for|we are looking for|we look for|we need|we expect|you(?:’|')ll need|you will need|you need|you bring|you(?:’|')ll bring)|who you are|about you|your (?:profile|skills|background|experience|qualifications)|you (?:have|bring|are)\b|we(?:’|')re looking for|任职要求|任职资格|任职条件|岗位要求|职位要求|应聘要求|招聘要求|技能要求|能力要求|基本要求|必备|必须|要求|我们希望你|希望你|我们期待|你需要|资格)/iu,
  ],
  [
    'duties',
    /^(?:(?:key |your |main |job )?responsibilities|what you(?:’|')ll (?:do|be doing|work on)|what you will (?:do|be doing|work on)|what you do|duties|the role|your role|about the (?:role|job|position)|job description|day[- ]to[- ]day|岗位职责|工作职责|职位职责|工作内容|职责|岗位描述|职位描述|你将|主要工作|职位介绍)/iu,
  ],
  [
    'other',
    /^(?:about (?:us|the (?:company|team))|who we are|our (?:company|team|mission|values|stack|tech stack)|benefits|perks|what we offer|we offer|compensation|salary|why (?:join|us|you)|equal opportunity|how to apply|location|interview|公司介绍|关于我们|公司简介|团队介绍|福利|薪资|薪酬|待遇|我们提供|工作地点|工作时间|联系|公司福利|面试)/iu,
  ],
]

/** Headings that stand in the middle of a text that has lost its lines. */
const INLINE =
  /(?<=[^\n])(?=(?:【|\[)?(?:任职要求|任职资格|岗位要求|职位要求|岗位职责|工作职责|加分项|优先条件|福利待遇|Requirements|Qualifications|Responsibilities|Nice to have|Preferred qualifications|Benefits)(?:】|\])?\s?[:：])/gu
const MARKS = /^[\s#*_>•·\-–—=【[(（]*(?:[一二三四五六七八九十\d]{1,2}\s*[、.)）]\s*)?[\s*_【[]*/u
/** A dot ends a sentence where a space follows, and not in `e.g. this`. */
const SENTENCE_END =
  /(?<=[。；;！!？?])|(?<=(?<!\b(?:e\.g|i\.e|etc|vs|approx|incl|[A-Z]))\.)\s+(?=\p{Lu}|\p{Script=Han}|\d)|(?<=[^\d\s])\s+(?=\d{1,2}[、.)）]\s*\D)/gu
const MAX_HEADING_LENGTH = 80

/** Ten times what a long posting has. */
const MAX_SENTENCES = 1000

/** Cuts a posting into its sentences, each with what the last heading before it says: the first thousand. */
export function sentences(description: string): readonly Sentence[] {
  const found: Sentence[] = []
  let section: Section | undefined
  for (const line of description.replace(INLINE, '\n').split('\n')) {
    const heading = headingOf(line)
    if (heading) section = heading.section
    const rest = heading ? line.slice(heading.length) : line
    for (const text of rest.split(SENTENCE_END)) {
      if (text.trim() !== '') found.push({ text: text.trim(), section })
    }
  }
  return found.slice(0, MAX_SENTENCES)
}

/** The heading with which a line begins; a line of prose has none. */
function headingOf(line: string): { readonly section: Section; readonly length: number } | undefined {
  const marks = MARKS.exec(line)?.[0].length ?? 0
  const colon = line.slice(marks, marks + MAX_HEADING_LENGTH).search(/[:：]/u)
  const whole = colon < 0
  const words = whole ? line.slice(marks) : line.slice(marks, marks + colon)
  if (words.length > MAX_HEADING_LENGTH || words === '') return undefined
  if (whole && !/^[\s#*_【[]*[#*_【[]/u.test(line) && !isShort(words)) return undefined
  const section = HEADINGS.find(([, pattern]) => pattern.test(words))?.[0]
  return section && { section, length: whole ? line.length : marks + colon + 1 }
}

/** A heading without a mark or a colon is some words, and no sentence. */
function isShort(words: string): boolean {
  return !/[.。；;,，、!！]/u.test(words) && words.trim().split(/\s+/).length <= 6 && words.length <= 50
}
