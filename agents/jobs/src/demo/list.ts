import type { DemoLanguage } from 'dragoman/agents'
import type { ToolRule } from './tool-rule.ts'
import { readFilters } from './criteria.ts'
import { readOut, readPostings } from './postings.ts'

/** The words by which people name how far an application has come. */
const statuses: readonly { status: string; words: RegExp; chinese: string }[] = [
  { status: 'inbox', words: /\binbox\b|收件箱|待处理|未处理/i, chinese: '收件箱里的' },
  { status: 'interviewing', words: /\binterview(?:s|ing)?\b|面试/i, chinese: '面试中的' },
  { status: 'rejected', words: /\breject(?:ed|ions?)\b|被拒|拒绝/i, chinese: '被拒的' },
  { status: 'skipped', words: /\bskipped\b|跳过/i, chinese: '跳过的' },
  { status: 'offer', words: /\boffers?\b|录用/i, chinese: '已录用的' },
  { status: 'applied', words: /\b(?:applied|applications?)\b|申请|投递|投过/i, chinese: '已申请的' },
]

const english =
  "list show see display view open check find get give what which where how many are is the my me i i've have has did do " +
  'been to all saved tracked stored every job jobs position positions role roles posting postings opening openings ' +
  'please can could would like want you in of for with on status that from currently so far got any out hi hello thanks'

const chinese =
  '请 麻烦 帮我 给我 帮忙 能不能 可以 列出来 列出 列一下 列表 显示 查看 看一下 看看 查一下 查找 搜索 找 我 的 已经 已 保存 收藏 ' +
  '所有 全部 过 中 了 里 职位 工作 岗位 机会 哪些 什么 多少 有没有 有 状态 为 是 一下 吗 呢 吧 出 被 个'

/** What a request for the list is made of; where anything else is left, it is none. */
const ordinary = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:${english.replaceAll(' ', '|')})(?![\\p{L}\\p{N}])|${chinese.replaceAll(' ', '|')}|[\\p{P}\\p{S}\\s]`,
  'giu',
)

const asks =
  /\b(?:list|show|see|display|view|check|find|get|give|my|i|i've|saved)\b|列|显示|看|查|找|搜|我|保存|收藏|哪些|多少|有/i
const noun = /\b(?:jobs?|positions?|roles?|postings?|openings?|saved)\b|职位|工作|岗位|保存|收藏/i

/** "Find jobs" with a filter set in the client asks for what the filter lets through: that is a search. */
const looksFor = /\b(?:find|search|look)\b|找|搜/i

/** Lists what is saved, all of it or by how far it has come. */
export const list: ToolRule = {
  call: 'jobs_list',
  example: {
    en: 'List what is saved: “list my jobs”, “show my applied jobs”',
    zh: '列出已保存的职位：“列出我保存的职位”、“看看我申请过的职位”',
  },
  read({ words, language, context }) {
    const found = statuses.find((known) => known.words.test(words))
    const rest = (found ? words.replace(found.words, ' ') : words).replaceAll(ordinary, '')
    const isBareStatus = found !== undefined && words.trim().length <= 12
    if (rest !== '' || !(isBareStatus || (asks.test(words) && (found ?? noun.test(words))))) return undefined
    if (!found && looksFor.test(words) && Object.keys(readFilters(context)).length > 0) return undefined
    return { input: found ? { status: found.status } : {}, thought: thought(found, language) }
  },
  tell(outcome, language) {
    if (asksForAnalytics(outcome.input)) return outcome.text
    const postings = readPostings(outcome.text)
    if (!postings) return outcome.text
    const lead = leadOf(postings.count, statusOf(outcome.input), language)
    return [lead, readOut(postings, language), nextStep[language]].filter(Boolean).join('\n\n')
  },
}

function thought(found: (typeof statuses)[number] | undefined, language: DemoLanguage): string {
  return language === 'zh'
    ? `用户想看${found?.chinese ?? '保存的'}职位，我来列出。`
    : `The user wants to see the saved postings${found ? ` with status ${found.status}` : ''}; I will list them.`
}

function leadOf(count: number, status: string | undefined, language: DemoLanguage): string {
  if (language === 'zh') {
    const which = statuses.find((known) => known.status === status)?.chinese ?? '保存的'
    return count === 0 ? `你还没有${which}职位。` : `你有 ${count} 个${which}职位。`
  }
  const which = status === undefined ? '' : ` with status ${status}`
  return count === 0
    ? `You have no saved postings${which}.`
    : `You have ${count} saved ${count === 1 ? 'posting' : 'postings'}${which}.`
}

const nextStep = {
  en: 'To look among them, say for example “search for backend roles”.',
  zh: '想在其中查找，可以说“搜索后端职位”。',
}

/** The same tool also tells how the search goes; nothing is to be added to that. */
function asksForAnalytics(input: unknown): boolean {
  return typeof input === 'object' && input !== null && Reflect.get(input, 'analytics') === true
}

function statusOf(input: unknown): string | undefined {
  const status: unknown =
    typeof input === 'object' && input !== null ? Reflect.get(input, 'status') : undefined
  return typeof status === 'string' && status !== 'all' ? status : undefined
}
