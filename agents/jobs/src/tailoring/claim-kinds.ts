import type { Line } from './lines.ts'
import type { MarkKind } from './mark.ts'

/** Ranks, as they stand in titles. `lead` and `staff` are ranks before a role alone. */
const RANK =
  /\b(?:senior|sr|principal|(?:staff|lead|distinguished)(?=\s+(?:\w+\s+){0,2}(?:engineer|developer|designer|scientist|analyst|architect)\b)|(?:team|tech|technical)\s+lead|head\s+of|director|vice\s+president|vp|chief|c[teofp]o|president|founder|co-founder|manager|architect|supervisor)\b|高级|资深|首席|总监|主管|组长|负责人|总裁|总经理|副总|经理|架构师|专家|合伙人|创始人|联合创始人/giu

/** A title in capitals: the role and up to three words before it. */
const TITLE =
  /(?:\p{Lu}[\p{L}+#./-]{0,40}\s{1,3}){1,3}(?:Engineer|Developer|Programmer|Scientist|Designer|Analyst|Consultant|Architect|Administrator|Manager)\b/gu

const TITLE_WORD =
  /^(?:engineer|developer|programmer|scientist|designer|analyst|consultant|architect|administrator|manager|intern|officer|specialist|lead|staff|senior|sr|junior|jr|principal|head|chief|director|president|vp|c[teofp]o|founder|co-founder|supervisor|associate|assistant|executive|freelance[r]?)$|(?:工程师|开发|经理|主管|总监|架构师|专员|助理|实习生|顾问|设计师|分析师|负责人|组长|专家|高级|资深|首席|中级|初级|总裁|主任|师|员)$/iu

/** Degrees by their level: all that stand for the same level are the same claim. */
export const DEGREES: readonly (readonly [string, RegExp])[] = [
  ['doctor', /\b(?:ph\.?\s?d|doctorate|doctoral|dphil)\b|博士/giu],
  [
    'master',
    /\b(?:master['’]?s(?=\s+(?:degree|in|of|\())|masters? of|m\.?sc|mba|m\.?eng|m\.?phil)\b|硕士|研究生/giu,
  ],
  ['bachelor', /\b(?:bachelor['’]?s?|b\.?sc|b\.?eng|b\.?tech)\b|学士|本科/giu],
]
const SCHOOL = /universit|college|institute|school|academy|大学|学院|学校/iu

const CERTIFICATE =
  /(?:[\p{L}\d+#-]{2,30}\s)?\b(?:certified|certification|certificate|licen[cs]ed|PMP|CISSP|CISA|CKAD?|CKS|CPA|CFA|FRM|ACCA|PRINCE2|ITIL|CCN[AP]|OCP|CSM|PSM|SHRM|TOEFL|IELTS|GRE|GMAT|CET-?[46])\b(?:\s[\p{L}\d+#-]{2,30}){0,2}|证书|资格证|认证|软考|(?:四|六)级/giu

/** Leading, honours and size: claims by themselves, whatever they are said of. */
const BOAST =
  /\b(?:led|lead(?:s|er|ership)?|leading|managed|managing|manages|supervised|oversaw|mentored|coached|headed|spearheaded|founded|awarded|award|won|promoted|patent(?:ed|s)?|published|keynote|fluent|native|expert|world-class|award-winning|hundreds|thousands|millions|billions|doubled|tripled|quadrupled|halved|single-handedly|(?:first|only)\s+(?:engineer|developer|hire)|fortune)\b|带领|率领|领导|主导|牵头|统筹|管理|带团队|获奖|荣获|荣誉|晋升|专利|发表|精通|专家|流利|母语|百万|千万|亿级|上亿|翻倍|翻番|从零|第一|冠军/giu

/** Employers that Chinese text names without a word that says so. */
const EMPLOYER =
  /阿里巴巴|阿里云|腾讯|字节跳动|字节|百度|美团|京东|华为|网易|小米|拼多多|滴滴|快手|蚂蚁金服|蚂蚁集团|微软|谷歌|亚马逊|苹果公司|哔哩哔哩|携程|小红书|中兴|联想|大疆|商汤|旷视/gu
/** A Chinese name that says what it is. */
export const ORGANIZATION =
  /(?<name>\p{Script=Han}{2,12}?)(?<suffix>有限公司|公司|集团|银行|大学|学院|研究院|研究所|事务所|医院)/gu

/** Phrases that one line of the resume must say, with the kind of the claim. */
export const WEIGHTY: readonly (readonly [MarkKind, RegExp])[] = [
  ['fabricated_title', RANK],
  ['fabricated_title', TITLE],
  ['fabricated_certificate', CERTIFICATE],
  ['fabricated_company', EMPLOYER],
  ['invented_content', BOAST],
]

/** A claim of a share in something, and of the whole of it. */
export const HELPED =
  /\b(?:assist|help|contribut|support|participat|involved in)\w*|参与|协助|配合|辅助|参加/iu
export const DID =
  /\b(?:own(?:ed|s)?|built|buil[dt]ing|designed|architected|created|developed|drove|delivered|responsible)\b|负责|主导|独立|全权|牵头/iu

const BY_SECTION: Readonly<Partial<Record<Line['section'], MarkKind>>> = {
  skills: 'fabricated_skill',
  languages: 'fabricated_skill',
  education: 'fabricated_degree',
  certificates: 'fabricated_certificate',
}

/** The kind of a name that the resume does not have, by what it is and by the words around it. */
export function kindOf(name: string, { section, role }: Line, text: string): MarkKind {
  const at = text.indexOf(name)
  const before = text.slice(Math.max(0, at - 30), at)
  const after = text.slice(at + name.length)
  const next = /^\s+([\p{Script=Latin}-]+)/u.exec(after)?.[1] ?? ''
  if (section === 'skills') return 'fabricated_skill'
  if (DEGREES.some(([, pattern]) => name.search(pattern) >= 0)) return 'fabricated_degree'
  if (SCHOOL.test(name) || SCHOOL.test(after.slice(0, 14))) return 'fabricated_degree'
  if (name.search(EMPLOYER) >= 0 || name.search(ORGANIZATION) >= 0) return 'fabricated_company'
  if (name.split(' ').some((word) => TITLE_WORD.test(word))) return 'fabricated_title'
  if (/\b(?:at|for|joined|from)\s+(?:\p{Lu}[\p{L}\p{N}]*\s+)*$/u.test(before)) return 'fabricated_company'
  if (/^\s*(?:inc|ltd|llc|gmbh|corp)\b/iu.test(after)) return 'fabricated_company'
  if (role === 'entry') {
    const isTitle =
      TITLE_WORD.test(next) || /^\p{Script=Han}{0,4}(?:工程师|经理|总监|主管|架构师)/u.test(after)
    if (isTitle) return 'fabricated_title'
    if (section === 'work') return 'fabricated_company'
  }
  return (
    BY_SECTION[section] ?? (/^.+\p{Lu}|\p{L}[\d+#]/u.test(name) ? 'fabricated_skill' : 'invented_content')
  )
}
