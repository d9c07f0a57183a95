import type { LanguageModelV4ToolResultOutput } from '@ai-sdk/provider'

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
