import type { Run } from '../../events/index.ts'
import type { OpenCall } from '../run-progress.ts'

/** Letters of a tool's input that a question shows. */
const MAX_INPUT_CHARACTERS = 500
const CHINESE = /\p{Script=Han}/u

/** Asks in text whether calls may run, for a page that shows nothing else: in Chinese if the user writes Chinese. */
export function askInText({ request }: Run, calls: readonly OpenCall[]): string {
  const isChinese = request.input.some((part) => part.type === 'text' && CHINESE.test(part.text))
  const lines = calls.map(({ tool, input }) => `- ${tool} ${shorten(JSON.stringify(input))}`).join('\n')
  return isChinese
    ? `可以运行以下工具吗？\n\n${lines}\n\n请回答“是”或“否”。`
    : `May I run this?\n\n${lines}\n\nPlease answer "yes" or "no".`
}

function shorten(input: string): string {
  return input.length <= MAX_INPUT_CHARACTERS ? input : `${input.slice(0, MAX_INPUT_CHARACTERS)}…`
}

const YES = new Set(['yes', 'y', '是', '是的'])
const NO = new Set(['no', 'n', '否', '不'])

/** Reads the answer to such a question; undefined for any other message. */
export function readTextApproval(text: string): boolean | undefined {
  const word = text
    .trim()
    .replace(/[.!。！]$/, '')
    .toLowerCase()
  if (YES.has(word)) return true
  return NO.has(word) ? false : undefined
}
