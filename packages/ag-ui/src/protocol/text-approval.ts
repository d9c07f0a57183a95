import { normalForm, visibleJson, visibleText, type Run } from 'dragoman/events'
import type { OpenCall } from 'dragoman/protocols'

/** A question in text is this long at most: a chat shows no longer one to its end. */
const MAX_QUESTION_CHARACTERS = 20_000
/** Pages do not wrap the lines of a block of code, but hide their ends. A line ends here, at a space if it has one. */
const LONG_LINE = /(?=.{81})(?:.{1,79} |.{80})/gu
const ANSWER = { en: 'Please answer "yes" or "no".', zh: '请回答“是”或“否”。' }
const TOO_LONG = {
  en: 'The input is too long for this page. Please answer on one that shows all of it, such as the console.',
  zh: '输入过长，无法在此显示。请在能完整显示它的页面中回答，例如控制台。',
}
/** Chinese characters, and no Japanese ones. */
const CHINESE = /^(?=.*\p{Script=Han})[^\p{Script=Hiragana}\p{Script=Katakana}]*$/su

type Calls = readonly Pick<OpenCall, 'tool' | 'input'>[]

/**
 * Asks in text whether calls may run, for a page that shows nothing else: in Chinese if the user writes Chinese. The
 * inputs are shown whole, as code, with what is not seen as escapes.
 */
export function askInText({ request }: Pick<Run, 'request'>, calls: Calls): string {
  const isChinese = request.input.some((part) => part.type === 'text' && CHINESE.test(part.text))
  const isWhole = canAskInText(calls)
  const names = calls.map(({ tool }) => visibleText(tool))
  const code = (isWhole ? describe(calls) : names).map(block).join('\n\n')
  return isChinese
    ? `可以运行以下工具吗？\n\n${code}\n\n${isWhole ? ANSWER.zh : TOO_LONG.zh}`
    : `May I run this?\n\n${code}\n\n${isWhole ? ANSWER.en : TOO_LONG.en}`
}

/** Whether the text shows all that a "yes" would approve. */
export function canAskInText(calls: Calls): boolean {
  return describe(calls).reduce((sum, { length }) => sum + length, 0) <= MAX_QUESTION_CHARACTERS
}

function describe(calls: Calls): readonly string[] {
  return calls.map(({ tool, input }) => `${visibleText(tool)} ${visibleJson(input, 2)}`)
}

/** A block of code whose fence is longer than any in it. */
function block(text: string): string {
  const longest = Math.max(2, ...Array.from(text.matchAll(/`+/g), ([ticks]) => ticks.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}\n${text.replace(LONG_LINE, '$&\n')}\n${fence}`
}

/** Words of English, Chinese and Japanese that mean nothing else after such a question. */
const YES = new Set([
  'yes',
  'y',
  'ok',
  'okay',
  'sure',
  '是',
  '是的',
  '好',
  '好的',
  '可以',
  '同意',
  'はい',
  'いいよ',
])
const NO = new Set(['no', 'n', '否', '不', '不行', '不可以', '不同意', 'いいえ', 'だめ'])

/** With spaces around it, an answer is not longer. To normalize a long message takes long. */
const MAX_ANSWER_CHARACTERS = 100

/** Reads the answer to such a question; undefined for any other message. */
export function readTextApproval(text: string): boolean | undefined {
  if (text.length > MAX_ANSWER_CHARACTERS) return undefined
  const word = normalForm(text, 'NFKC')
    .trim()
    .replace(/[.!。]$/, '')
    .toLowerCase()
  if (YES.has(word)) return true
  return NO.has(word) ? false : undefined
}
