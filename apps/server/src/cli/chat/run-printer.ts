import { styleText } from 'node:util'

import { emptyMessage, fold, type AssistantMessage, type LogEntry, type RunEvent } from '@dragoman/client'
import { isJsonObject, WAITING_FOR_MODEL, type Json } from 'dragoman/events'
import { printableLine } from '../printable.ts'
import { formatFile, formatSource, formatUserText } from './format-messages.ts'
import type { Screen } from './screen.ts'
import { cardText, progressLine, toolLine, type ToolPart } from './tool-line.ts'

/** Prints a run as its entries come, and knows its message so far. Reasoning is folded to one line by default. */
export interface RunPrinter {
  print(entry: LogEntry): void
  readonly message: AssistantMessage
}

type PrinterOptions = { readonly screen: Screen; readonly showReasoning: boolean }

type PrintContext = PrinterOptions & {
  readonly message: AssistantMessage
  /** When each part of the reasoning began. */
  readonly reasoningStarts: Map<string, number>
}

export function createRunPrinter(options: PrinterOptions): RunPrinter {
  let message = emptyMessage('')
  const reasoningStarts = new Map<string, number>()
  return {
    print(entry) {
      message = fold(message, entry.event)
      printEvent(entry, { ...options, message, reasoningStarts })
    },
    get message() {
      return message
    },
  }
}

export function findCall({ parts }: AssistantMessage, callId: string): ToolPart | undefined {
  return parts.findLast((part): part is ToolPart => part.type === 'tool' && part.callId === callId)
}

function printEvent({ event, at }: LogEntry, context: PrintContext): void {
  const { screen, showReasoning, message, reasoningStarts } = context
  switch (event.type) {
    case 'text.delta':
      return screen.answer(event.delta)
    case 'text.ended':
      return screen.endText()
    case 'reasoning.started':
      reasoningStarts.set(event.partId, at)
      return screen.status('Thinking …')
    case 'reasoning.delta':
      return showReasoning ? screen.aside(event.delta) : undefined
    case 'reasoning.ended':
      return showReasoning
        ? screen.endText()
        : screen.line(foldedReasoning(at - (reasoningStarts.get(event.partId) ?? at)))
    case 'tool.started':
      return screen.status(`${event.tool} …`)
    case 'tool.called':
    case 'tool.executing':
      return printProgress(findCall(message, event.callId), undefined, screen)
    case 'tool.progressed':
      return printProgress(findCall(message, event.callId), event.output ?? event.delta, screen)
    case 'tool.returned':
    case 'tool.failed':
      return printOutcome(findCall(message, event.callId), screen)
    case 'run.resumed':
      return event.because !== 'answer' ? screen.line(styleText('dim', RESTARTED)) : undefined
    case 'user.joined':
      return screen.line(formatUserText(event.input))
    case 'file':
      return event.kind === 'output' ? screen.line(formatFile(event)) : undefined
    case 'source':
      return screen.line(formatSource(event))
    case 'data':
      return printData(event, screen)
    case 'run.finished':
    case 'run.failed':
    case 'run.cancelled':
      return printEnd(event, screen)
    case 'run.stop-requested':
      return screen.status('Stopping …')
    case 'run.started':
    case 'run.waiting':
    case 'step.started':
    case 'step.finished':
    case 'text.started':
    case 'tool.delta':
    case 'tool.asked':
    case 'tool.answered':
    case 'state.changed':
    case 'custom':
      return undefined
  }
}

const RESTARTED = 'The server restarted; the answer continues.'

function foldedReasoning(ms: number): string {
  return styleText('dim', `Thought for ${Math.max(1, Math.round(ms / 1000))} s`)
}

function printProgress(
  part: ToolPart | undefined,
  progress: Parameters<typeof progressLine>[1],
  screen: Screen,
): void {
  if (part) screen.status(progressLine(part, progress))
}

function printOutcome(part: ToolPart | undefined, screen: Screen): void {
  if (!part) return
  screen.line(toolLine(part))
  const card = cardText(part)
  if (card !== undefined) screen.line(styleText('dim', card.replaceAll(/^/gm, '  ')))
}

function printData(event: Extract<RunEvent, { readonly type: 'data' }>, screen: Screen): void {
  if (event.name === WAITING_FOR_MODEL) return screen.status(waitLine(event.value))
  if (event.transient) return screen.status(event.name)
  screen.line(styleText('dim', printableLine(`[${event.name}]`)))
}

function waitLine(wait: Json): string {
  const { retryAfter, attempt, attempts } = isJsonObject(wait) ? wait : {}
  const when = `in ${Number(retryAfter)} s (${Number(attempt)} of ${Number(attempts)})`
  return `The provider of the model does not answer; trying again ${when} …`
}

/** Why an answer ended before it was complete. */
const CUT_ENDS: Readonly<Record<string, string>> = {
  length: 'The answer is cut: the model reached its limit of tokens.',
  'content-filter': 'The provider of the model cut the answer.',
  'step-limit': 'The agent reached its limit of steps.',
  interrupted: 'The answer was interrupted.',
}

function printEnd(
  event: Extract<RunEvent, { readonly type: 'run.finished' | 'run.failed' | 'run.cancelled' }>,
  screen: Screen,
): void {
  screen.endText()
  if (event.type === 'run.cancelled') return screen.line(styleText('yellow', 'Stopped.'))
  if (event.type === 'run.failed') return screen.line(styleText('red', printableLine(event.failure.message)))
  const sentence = CUT_ENDS[event.reason]
  if (sentence !== undefined) screen.line(styleText('yellow', sentence))
}
