import type { Run } from '../../events/index.ts'
import type { OpenCall } from '../so-far.ts'

/** Letters of a tool's input that a question shows. */
const MAX_INPUT = 500
const CHINESE = /\p{Script=Han}/u

/**
 * Asks in text whether calls may run, for a page that can show nothing else: in Chinese where the user writes Chinese.
 */
export function spokenQuestion({ request }: Run, calls: readonly OpenCall[]): string {
  const isChinese = request.input.some((part) => part.type === 'text' && CHINESE.test(part.text))
  const named = calls.map(({ tool, input }) => `- ${tool} ${shortened(JSON.stringify(input))}`).join('\n')
  return isChinese
    ? `可以运行以下工具吗？\n\n${named}\n\n请回答“是”或“否”。`
    : `May I run this?\n\n${named}\n\nPlease answer "yes" or "no".`
}

function shortened(input: string): string {
  return input.length <= MAX_INPUT ? input : `${input.slice(0, MAX_INPUT)}…`
}

const YES = new Set(['yes', 'y', '是', '是的'])
const NO = new Set(['no', 'n', '否', '不'])

/** What a message answers to such a question; nothing where it says something else. */
export function spokenVerdict(text: string): boolean | undefined {
  const word = text
    .trim()
    .replace(/[.!。！]$/, '')
    .toLowerCase()
  if (YES.has(word)) return true
  return NO.has(word) ? false : undefined
}
