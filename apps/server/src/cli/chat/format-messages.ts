import { styleText } from 'node:util'

import type { AssistantPart } from '@dragoman/client'
import type { FileEvent, Message, SourceEvent, UserPart } from 'dragoman/events'
import { printable, printableLine } from '../printable.ts'
import { toolLine } from './tool-line.ts'

/** The texts of messages for a reader in a terminal. Reasoning is left out. */
export function formatMessages(messages: readonly Message[]): string {
  return messages.map((message) => `${formatMessage(message)}\n`).join('\n')
}

function formatMessage(message: Message): string {
  if (message.role === 'user') return formatUserText(message.parts)
  const parts = message.parts.flatMap(formatPart)
  const failure = message.failure ? [styleText('red', printableLine(message.failure.message))] : []
  return [...parts, ...failure].join('\n')
}

function formatPart(part: AssistantPart): readonly string[] {
  switch (part.type) {
    case 'text':
      return part.text === '' ? [] : [printable(part.text)]
    case 'tool':
      return [toolLine(part)]
    case 'user':
      return [formatUserText(part.input)]
    case 'data':
      return [styleText('dim', printableLine(`[${part.name}]`))]
    case 'source':
      return [formatSource(part)]
    case 'file':
      return part.kind === 'output' ? [formatFile(part)] : []
    case 'step':
    case 'reasoning':
    case 'custom':
      return []
  }
}

/** A file that the model made. */
export function formatFile({ mediaType, url }: Pick<FileEvent, 'mediaType' | 'url'>): string {
  return styleText('dim', printableLine(`File: ${mediaType} · ${url}`))
}

/** A source of the answer above it. */
export function formatSource({
  url,
  title,
  filename,
}: Pick<SourceEvent, 'url' | 'title' | 'filename'>): string {
  const words = [title, url ?? filename].filter((text) => text !== undefined)
  return styleText('dim', printableLine(`Source: ${words.join(' · ')}`))
}

/** What the user has written, marked as theirs. */
export function formatUserText(parts: readonly UserPart[]): string {
  const texts = parts.map((part) =>
    part.type === 'text' ? part.text : `[${part.filename ?? part.mediaType}]`,
  )
  return styleText('cyan', `> ${printable(texts.join('\n')).replaceAll('\n', '\n> ')}`)
}
