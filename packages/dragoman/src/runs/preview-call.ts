import { z } from 'zod'

import { HOOK_TIMEOUT_MS, withTimeout } from '../async/index.ts'
import type { Question } from '../events/index.ts'
import { scopeOf, type CheckedCall, type CheckOptions } from './check-call.ts'
import { failedTool, isForeseen } from './tool-failure.ts'

/** The log, each reader and each list of questions hold a preview: so many characters at most. */
const MAX_TEXT_CHARACTERS = 32 * 1024
/** Of a title, a problem and a basis. A path may have as many. */
const MAX_LINE_CHARACTERS = 4096

const line = z.string().max(MAX_LINE_CHARACTERS).exactOptional()
/** What code of others returns. */
const previewShape = z.object({
  title: line,
  format: z.enum(['text', 'diff']),
  text: z.string(),
  isCut: z.literal(true).exactOptional(),
  problem: line,
  basis: line,
})

/**
 * What the question of a call says of its effect, if its tool can say it. A preview that fails is no reason not to ask.
 * Its basis says so to the tool.
 */
export async function previewCall(
  { run, signal, report }: Pick<CheckOptions, 'run' | 'signal' | 'report'>,
  callId: string,
  { tool, value }: CheckedCall,
): Promise<Pick<Question, 'preview' | 'basis'>> {
  if (!tool.preview) return {}
  const timeoutMs = Math.min(tool.timeoutMs, HOOK_TIMEOUT_MS)
  const problemOf = (message: string) => ({
    preview: { format: 'text', text: '', problem: message.slice(0, MAX_LINE_CHARACTERS) } as const,
    basis: '',
  })
  try {
    const made = await withTimeout(signal, timeoutMs, async (limit) =>
      tool.preview?.(value, { ...scopeOf(run, callId), signal: limit }),
    )
    const checked = previewShape.safeParse(made)
    if (!checked.success) {
      report(new Error(`The preview of ${tool.name} is not as it must be. ${z.prettifyError(checked.error)}`))
      return problemOf(`${tool.name} failed inside the server.`)
    }
    const { basis, text, ...preview } = checked.data
    return { preview: { ...preview, ...fitText(text) }, ...(basis !== undefined && { basis }) }
  } catch (error) {
    if (!signal.aborted && !isForeseen(error)) report(error)
    return problemOf(failedTool(tool.name, error).failure.message)
  }
}

/** Whole lines of too long a text, or the beginning of its only one. */
function fitText(text: string): { readonly text: string; readonly isCut?: true } {
  if (text.length <= MAX_TEXT_CHARACTERS) return { text }
  const end = text.lastIndexOf('\n', MAX_TEXT_CHARACTERS - 1) + 1
  return { text: text.slice(0, end || MAX_TEXT_CHARACTERS).toWellFormed(), isCut: true }
}
