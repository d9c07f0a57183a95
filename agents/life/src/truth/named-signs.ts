import { branches, stems } from '../chart/chart.ts'
import { inEnglish } from '../chart/words.ts'
import {
  ASIDE,
  BRANCH,
  ENGLISH_STEM,
  IS,
  labelledPillar,
  MARKS,
  sounds,
  STEM,
  type Named,
} from './patterns.ts'
import { isOfChart } from './whose.ts'

/** Two branches sound like other words: "the day branch is you", "yin water". */
const ENGLISH_BRANCH = `(?:${sounds(branches)
  .filter((sound) => !['You', 'Yin'].includes(sound))
  .join('|')})`
const WORD_END = '\\b(?=[^-–‑\\p{L}]|$)'
/** 时支子 is a sign, 时支子女 are children. */
const SIGN_END = '(?=[木火土金水中藏与和同]|[^\\p{Script=Han}]|$)'

const stemOf = new RegExp(
  `(?:([年月时時])干|\\b(year|month|hour) stem\\b)${ASIDE}${MARKS}${IS}${MARKS}(?:(${STEM})${SIGN_END}|(${ENGLISH_STEM})${WORD_END})`,
  'giu',
)
const branchOf = new RegExp(
  `(?:([年月日时時])支|(月)令|\\b(year|month|day|hour) branch\\b)${ASIDE}${MARKS}${IS}${MARKS}(?:(${BRANCH})${SIGN_END}|(${ENGLISH_BRANCH})${WORD_END})`,
  'giu',
)
const dayMaster = new RegExp(
  `(?:日主|日元|日干|\\bday (?:master|stem)\\b)${ASIDE}${MARKS}(?:(?:就|正)?是|为|乃|(?:is|was)\\b)?${MARKS}(?:(${STEM})(?=[木火土金水]|${BRANCH}|[^\\p{Script=Han}]|$)|(${ENGLISH_STEM})\\b(?=[^-–‑\\p{L}]|$)|(?:a )?(yin|yang)[ -](wood|fire|earth|metal|water)\\b)`,
  'giu',
)
/** Said of you the other way round: 你是甲木日主, 你是丙火人, "as a Yang Wood Day Master, you", "you are a Bing Fire person". */
const KIND = `(?:day master|person|type|individual)\\b`
const ELEMENT = '(?:wood|fire|earth|metal|water)'
const BEING = `(?:(${STEM})(?:[木火土金水]?的?日[主元]|[木火土金水](?:的?(?:命?人|命|类型(?:的人)?)|(?=[，。！；、,.!;\\s]|$)))|(?:an? )?(?:(${ENGLISH_STEM}) ${ELEMENT}(?: ${KIND}|(?=[.,!;:\\s]|$))|(${ENGLISH_STEM}) day master\\b|(yin|yang)[ -](wood|fire|earth|metal|water) ${KIND}))`
const being = new RegExp(
  `(?:[你您](?:就|正|其实)?[是属](?:于)?(?:一[个位])?|\\byou(?:['’]re| are) )${BEING}|(?:作为(?:一[个位])?|\\bas )${BEING}(?=的?[，, ]*(?:[你您]|you\\b))`,
  'giu',
)

/** Single signs that a text claims to be of the chart: 日主, a pillar's stem or its branch. */
export function namedSigns(text: string): Named[] {
  return [...masters(text), ...single(text, stemOf, stems), ...single(text, branchOf, branches)]
}

function single(text: string, pattern: RegExp, signs: readonly string[]): Named[] {
  return [...text.matchAll(pattern)].flatMap(({ 0: whole, index, ...found }) => {
    const [label, said] = [1, 2, 3, 4, 5].flatMap((place) => found[place] ?? [])
    const at = labelledPillar(label)
    const name = signs.find(
      (sign) => sign === said || sounds([sign])[0]?.toLowerCase() === said?.toLowerCase(),
    )
    return at && name && isOfChart(text, index, index + whole.length) ? [{ at, name }] : []
  })
}

function masters(text: string): Named[] {
  return [...text.matchAll(dayMaster), ...text.matchAll(being)].flatMap(({ 0: whole, index, ...found }) => {
    const said = Object.keys(found).flatMap((place) =>
      /^\d+$/.test(place) ? (found[Number(place)] ?? []) : [],
    )
    const name = stems.find((stem) => isStem(stem, said))
    return name && isOfChart(text, index, index + whole.length) ? [{ at: 'day' as const, name }] : []
  })
}

/** As its sign, by its sound, or as "yang" and "wood". */
function isStem(stem: string, said: readonly string[]): boolean {
  const [first = '', element] = said.map((word) => word.toLowerCase())
  const english = inEnglish(stem).toLowerCase()
  if (element !== undefined) return english.endsWith(`(${first} ${element})`)
  return stem === first || english.startsWith(`${first} `)
}
