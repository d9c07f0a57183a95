import type { Json } from 'dragoman/events'
import { quoteUntrustedLine } from '@dragoman/agent-kit/text/quote-untrusted-line'
import { fillIn, type Language } from '../language.ts'
import { localDay } from '../local-day.ts'
import type { Memory } from './memory.ts'
import texts from './memory-texts.json' with { type: 'json' }

/** The text of a memory in quotes: what a person wrote is shown as theirs. */
export function quoteMemory({ content }: Pick<Memory, 'content'>): string {
  return `“${quoteUntrustedLine(content, 500).replaceAll(/[“”]/g, '"')}”`
}

/** A memory in a list: text, type, day, and the id for `forget_memory`. */
export function memoryLine(memory: Memory, language: Language, context: Json): string {
  const { id, type, createdAt } = memory
  const values = {
    quote: quoteMemory(memory),
    type: texts.types[type],
    day: localDay(createdAt, context),
    id,
  }
  return fillIn(texts.line, values)[language]
}

/** A memory as cards have it. */
export function memoryCard({ from, ...memory }: Memory): Json {
  return { ...memory, ...(from && { from: { ...from } }) }
}
