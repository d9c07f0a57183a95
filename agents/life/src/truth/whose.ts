/** After which it is another person's. */
const OTHERS =
  /他|她|对方|伴侣|爱人|恋人|男友|女友|男朋友|女朋友|老公|老婆|先生|太太|丈夫|妻子|爸|妈|父亲|母亲|孩子|儿子|女儿|宝宝|朋友|同事|老板|客户|名人|别人|有人|某人|\b(?:his|hers?|him|she|he|they|their|them|partner|husband|wife|boyfriend|girlfriend|friend|mother|father|mom|mum|dad|parents?|son|daughter|child|baby|boss|colleague|client|someone|somebody|anyone|people|persons?|those|celebrity)\b/giu
/** Somebody's by name, as 小李的四柱 or Zhang's day pillar; 这里排出来的四柱 is nobody's but theirs. */
const NAMED =
  /(?<=^|[，。、；：:\s和与跟（(*])(?:(?![你您我]|自己|本人|命|局|生|八字|[排算]|[上下]面|这|完整|[年月日时])[^\s，。、；：:]){1,6}的(?=(?:命盘|八字|四柱|日[主元干]|[年月日时時]柱))|\b(?!(?:Here|There|It|That|This|What|Let|How|Who|Where|Chart)['’])\p{Lu}\p{L}*['’]s\b/gu
/** Ding-You is a pillar. */
const YOURS = /你|您|(?<![-–‑])\byou(?:r|rs|’re|'re)?\b/giu

/** After which it is of another time than the birth: a year, a month, a day, a luck cycle. A date is of the birth where that is said before it. */
const TIMES =
  /流年|流月|流日|大运|小运|岁运|今年|明年|去年|后年|前年|本年|当年|这一?年|那一?年|本月|这个?月|下个?月|上个?月|当月|今[天日]|明[天日]|昨天|后天|当[天日]|这一?天|那一?天|黄历|(?<!生[^。\n]{0,16})(?:[12]\d{3}\s*年|\d{1,2}\s*月\s*\d{1,2}\s*[日号])|胎元|胎息|命宫|身宫|\b(?:today|tomorrow|yesterday|tonight|this (?:year|month|day|week)|next (?:year|month|day|week)|last (?:year|month|day|week)|current|annual|luck|cycles?|decades?|almanac|transits?|conception|palace)\b|(?<!\b(?:born|birth)\b[^.;\n]{0,40})\b(?:19|20|21)\d\d\b(?!\s*年)/giu
const BIRTH =
  /你|您|出生|生于|生辰|命盘|命局|原局|本命|八字|四柱|\b(?:you(?:r|rs)?|birth|born|natal|chart|four pillars|bazi)\b/giu

/** In a sentence that supposes, quotes or takes back, nothing is claimed. */
const SUPPOSED =
  /如果|假如|假设|若|要是|倘若|万一|可能|也许|或许|例如|比如|譬如|举例|换作|改为|改成|换日|以为|[你您我]说|(?:之前|前面|刚才|先前)(?:说|提到|写|给)|更正|纠正|误|不是|另一种|\b(?:if|unless|whether|would|could|might|perhaps|maybe|suppose|imagine|otherwise|alternatively|instead|for example|for instance|e\.g|such as|you said|i said|thought|mistaken(?:ly)?|corrected|correction|wrong(?:ly)?|not)\b/iu
const TAKEN_BACK =
  /^[^。！!\n]{0,12}?(?:吗|么[？?]|[？?]|不对|错|有误|不是|不一致|不符|的人|之人|的命)|^[^.!\n]{0,24}?(?:\?|\bwrong\b|\bincorrect\b|\bmistake|\bnot\b)/iu

const SENTENCE_END = /[。！？!?；;\n]|\.\s/gu
/** Characters before it that may say whose it is. */
const NEIGHBOURHOOD = 160

function lastOf(pattern: RegExp, text: string): number {
  let last = -1
  for (const { index } of text.matchAll(pattern)) last = index
  return last
}

/**
 * Whether what a text names from `start` to `end` is said of the chart of the one who is spoken to. What is said of other people, of other times, or
 * supposed, is not; in doubt it is not either: a word wrongly taken back does more harm than a slip that stands.
 */
export function isOfChart(text: string, start: number, end: number): boolean {
  const near = text.slice(Math.max(0, start - NEIGHBOURHOOD), start).replaceAll('其他', '其余')
  const sentence = near.slice(lastOf(SENTENCE_END, near) + 1)
  if (SUPPOSED.test(sentence) || TAKEN_BACK.test(text.slice(end, end + 40))) return false
  const label = text.slice(start, end)
  const others = Math.max(lastOf(OTHERS, near), lastOf(NAMED, near + label))
  if (others > lastOf(YOURS, near)) return false
  for (const before of [sentence, near]) {
    const time = lastOf(TIMES, before)
    const birth = lastOf(BIRTH, before)
    if (time !== birth) return birth > time
  }
  return true
}
