import { setTimeout } from 'node:timers/promises'

import { confirm, isCancel, text } from '@clack/prompts'

import { visibleJson } from '@dragoman/client/visible-text'
import type { Answer } from 'dragoman/events'
import { formatPreview } from '../format-preview.ts'
import { printableLine } from '../printable.ts'
import { parseOutput } from '../remote/questions.ts'
import type { ToolPart } from './tool-line.ts'

/** So long what was typed before the question is thrown away: it was no answer to it. */
const TYPED_AHEAD_MS = 50

/**
 * Asks the user what a call waits for. `stop` if the user pressed Ctrl+C; undefined if `signal` aborted, because
 * another client has answered.
 */
export async function askCall(part: ToolPart, signal: AbortSignal): Promise<Answer | 'stop' | undefined> {
  await discardTypedAhead()
  if (signal.aborted) return undefined
  process.stdout.write(`${describeCall(part)}\n`)
  const answer = await answerTo(part, signal)
  if (signal.aborted) return undefined
  return answer ?? 'stop'
}

async function answerTo(part: ToolPart, signal: AbortSignal): Promise<Answer | undefined> {
  const { kind = 'approval', message, schema = {} } = part.question ?? {}
  if (kind === 'approval') return askApproval(part, signal)
  if (kind === 'output') return askOutput(signal)
  process.stdout.write(`${visibleJson(schema, 2)}\n`)
  return askForm(printableLine(message ?? 'The tool asks:'), signal)
}

/** All of the input: an approval counts for what is not read, too. */
function describeCall({ tool, input = null, question }: ToolPart): string {
  const preview = question?.preview ? `\n${formatPreview(question.preview)}` : ''
  return `\n${printableLine(tool)} ${visibleJson(input, 2)}${preview}`
}

async function askApproval({ tool }: ToolPart, signal: AbortSignal): Promise<Answer | undefined> {
  const approved = await confirm({ message: `Allow ${printableLine(tool)}?`, initialValue: false, signal })
  if (isCancel(approved)) return undefined
  if (approved) return { kind: 'approval', approved }
  const reason = await text({
    message: 'Why not?',
    placeholder: 'optional; the model reads it',
    defaultValue: '',
    signal,
  })
  if (isCancel(reason)) return undefined
  return { kind: 'approval', approved, ...(reason.trim() !== '' && { reason: reason.trim() }) }
}

async function askForm(message: string, signal: AbortSignal): Promise<Answer | undefined> {
  const placeholder = 'JSON as the schema says, or text; empty declines'
  const output = await text({ message, placeholder, defaultValue: '', signal })
  if (isCancel(output)) return undefined
  return output.trim() === ''
    ? { kind: 'approval', approved: false }
    : { kind: 'form', output: parseOutput(output) }
}

async function askOutput(signal: AbortSignal): Promise<Answer | undefined> {
  const output = await text({
    message: 'This tool runs in another client. Its output:',
    placeholder: 'JSON or text; empty refuses',
    defaultValue: '',
    signal,
  })
  if (isCancel(output)) return undefined
  return output.trim() === ''
    ? { kind: 'error', message: 'The user refused.' }
    : { kind: 'output', output: parseOutput(output) }
}

async function discardTypedAhead(): Promise<void> {
  const { stdin } = process
  const ignore = (): void => undefined
  stdin.setRawMode(true)
  stdin.on('data', ignore)
  await setTimeout(TYPED_AHEAD_MS)
  stdin.off('data', ignore)
  stdin.pause()
  stdin.setRawMode(false)
}
