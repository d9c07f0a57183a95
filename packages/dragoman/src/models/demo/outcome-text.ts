import type { LanguageModelV4ToolResultOutput } from '@ai-sdk/provider'

import type { DemoLanguage, DemoOutcome } from './script.ts'

/** What a tool's result says, in words, and whether the tool succeeded. */
export function outcomeText(output: LanguageModelV4ToolResultOutput): { ok: boolean; text: string } {
  switch (output.type) {
    case 'text':
      return { ok: true, text: output.value }
    case 'json':
      return { ok: true, text: wordsOf(output.value) }
    case 'content':
      return {
        ok: true,
        text: output.value.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n'),
      }
    case 'error-text':
      return { ok: false, text: output.value }
    case 'error-json':
      return { ok: false, text: wordsOf(output.value) }
    case 'execution-denied':
      return { ok: false, text: output.reason ?? '' }
  }
}

/** Data often carries its own sentence. */
function wordsOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'object' && value !== null) {
    for (const sentence of [Reflect.get(value, 'text'), Reflect.get(value, 'message')]) {
      if (typeof sentence === 'string') return sentence
    }
  }
  return JSON.stringify(value, undefined, 2)
}

/** A tool may return a whole file; an answer quotes only its beginning. */
const MAX_QUOTE_LENGTH = 8000

/** An outcome with its quote and summary. */
export function quoted(
  outcome: Pick<DemoOutcome, 'tool' | 'input' | 'ok' | 'text'>,
  language: DemoLanguage,
): DemoOutcome {
  const text = outcome.text.trim()
  const quote = text.length > MAX_QUOTE_LENGTH ? `${text.slice(0, MAX_QUOTE_LENGTH).toWellFormed()} …` : text
  return { ...outcome, quote, summary: summaryOf({ ...outcome, quote }, language) }
}

function summaryOf({ tool, ok, quote }: Pick<DemoOutcome, 'tool' | 'ok' | 'quote'>, language: DemoLanguage) {
  const isChinese = language === 'zh'
  if (ok && quote === '')
    return isChinese ? `工具 ${tool} 没有返回内容。` : `The tool ${tool} returned nothing.`
  if (ok) return `${isChinese ? `${tool} 返回：` : `${tool} returned:`}\n\n${quote}`
  const failed = isChinese ? `工具 ${tool} 执行失败` : `The tool ${tool} failed`
  if (quote === '') return `${failed}${isChinese ? '。' : '.'}`
  return `${failed}${isChinese ? '：' : ': '}${quote}`
}
