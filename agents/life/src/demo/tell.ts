import type { DemoLanguage, DemoOutcome } from 'dragoman/agents'
import type { Phrase } from './deed.ts'

/** What goes before a tool's own words, and after them. */
const frames: Readonly<Partial<Record<string, { readonly lead?: Phrase; readonly end?: Phrase }>>> = {
  show_bazi_chart: {
    lead: { en: 'Here is your chart, as it was worked out:', zh: '这是排出来的命盘：' },
    end: {
      en: 'To look at one year, ask for “my fortune in 2027”.',
      zh: '想看某一年，可以说“看看 2027 年的运势”。',
    },
  },
  calculate_bazi: {
    lead: { en: 'From what you told me, this is the chart:', zh: '按你说的出生时间，命盘是这样的：' },
  },
  request_info: {
    end: {
      en: 'Please fill in the form; what you send with it is saved in your profile.',
      zh: '填好表单发给我就行，内容会存进你的个人资料。',
    },
  },
}

/** Puts what came of a tool into words, adding nothing to what it says. */
export function tell(outcome: DemoOutcome, language: DemoLanguage): string {
  const said = outcome.text.trim().replaceAll(/^<search-results>\n|\n<\/search-results>$/g, '')
  if (!outcome.ok) {
    const [lead, full, colon] = { en: ['That did not work', '.', ': '], zh: ['这一步没有成功', '。', '：'] }[
      language
    ]
    return said === '' ? `${lead}${full}` : `${lead}${colon}${said}`
  }
  if (saysNeed(outcome)) return said
  const { lead, end } = frames[outcome.tool] ?? {}
  const short = withoutDetails(said).replaceAll(MEMORY_ID, '')
  const rest = short.length < said.length && CHARTS.test(outcome.tool) ? onCard[language] : undefined
  return [lead?.[language], short, rest, end?.[language]].filter(Boolean).join('\n\n')
}

const CHARTS = /^(?:show_bazi_|calculate_bazi$)/
const onCard: Phrase = { en: 'The card has the details.', zh: '更多细节在卡片里。' }
/** By it a tool forgets; a person names what is meant. */
const MEMORY_ID = /(?:，|, )mem_[\w-]+(?=[）)])/gu
/** Lines of a chart, a year or a life that a card shows better than they can be read, and the months with theirs. */
const DETAILS =
  /^(?:藏干|纳音|星运|自坐|旬空|其他|月令旺衰|合冲刑害|神煞|五行算法|与命局|与大运|转折|每年|算法)：.*\n|^(?:Hidden stems|Sounds|Phases|Own phases|Voids|Further|In the season|Relations|Stars|How elements are weighed|With the (?:chart|luck cycle)|Turning points|Each year|Method): .*\n|^(?:流月：|Months:)\n(?:- .*\n)*/gmu

function withoutDetails(text: string): string {
  return text.replaceAll(DETAILS, '')
}

/** Whether a tool says that it lacks birth data, which a form would bring. */
export function saysNeed({ tool, text }: DemoOutcome): boolean {
  return tool.startsWith('show_bazi_') && NEED.test(text)
}

const NEED =
  /^[^。\n]{0,20}(?:没有|缺少|不知道)[^。\n]{0,10}出生|^[^.\n]{0,30}\bbirth (?:data|date|details)\b[^.\n]{0,20}\b(?:not known|missing|lacking)|\bneed_?info\b/i
