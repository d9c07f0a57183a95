import { styleText } from 'node:util'

import type { AssistantPart, Json } from '@dragoman/client'
import { isJsonObject } from 'dragoman/events'
import { printable, printableLine } from '../printable.ts'

export type ToolPart = Extract<AssistantPart, { readonly type: 'tool' }>

const MAX_SUMMARY_LENGTH = 80

/** A tool call on one line: its state, its name, what it was called with, and what came out. */
export function toolLine(part: ToolPart): string {
  const { mark, color } = lookOf(part)
  const outcome = part.failure?.message ?? outcomeOf(part)
  const words = [styleText('bold', printableLine(part.tool)), summarize(part.input ?? part.inputText)]
  const arrow = outcome === '' ? [] : ['→', shorten(outcome)]
  return [styleText(color, mark), ...words, ...arrow].filter((word) => word !== '').join(' ')
}

/** What a tool reports while it runs. */
export function progressLine(part: ToolPart, progress: Json | undefined): string {
  const words = [part.tool, summarize(part.input ?? part.inputText), summarize(progress ?? '')]
  return `${words.filter((word) => word !== '').join(' ')} …`
}

function lookOf({ state, failure }: ToolPart): {
  readonly mark: string
  readonly color: 'green' | 'red' | 'yellow' | 'dim'
} {
  switch (state) {
    case 'returned':
      return { mark: '✓', color: 'green' }
    case 'failed':
      return failure?.code === 'aborted' ? { mark: '■', color: 'dim' } : { mark: '✗', color: 'red' }
    case 'asked':
      return { mark: '?', color: 'yellow' }
    case 'input':
    case 'called':
    case 'answered':
    case 'executing':
      return { mark: '…', color: 'dim' }
  }
}

/** The text for readers, if there is one: outputs may be long. */
function outcomeOf({ text, output }: ToolPart): string {
  if (text !== undefined && text !== '') return text
  return output === undefined || output === null ? '' : JSON.stringify(output)
}

/** The text of a card, which a page would draw. It is meant to be read whole. */
export function cardText({ output }: ToolPart): string | undefined {
  if (output === undefined || !isJsonObject(output)) return undefined
  const { cardType, text } = output
  return typeof cardType === 'string' && typeof text === 'string' ? printable(text) : undefined
}

/** The short texts and numbers of a value, on one line. */
function summarize(value: Json): string {
  if (!isJsonObject(value)) return shorten(typeof value === 'string' ? value : JSON.stringify(value))
  const words = Object.values(value).flatMap((each) =>
    typeof each === 'string' || typeof each === 'number' ? [String(each)] : [],
  )
  return shorten(words.join(' · '))
}

function shorten(text: string): string {
  const line = printableLine(text)
  return line.length > MAX_SUMMARY_LENGTH ? `${line.slice(0, MAX_SUMMARY_LENGTH)}…` : line
}
