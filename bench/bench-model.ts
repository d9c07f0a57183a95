import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import type { LanguageModelV4, LanguageModelV4StreamPart } from '@ai-sdk/provider'

/** The text of each answer, the same for every measured server. */

const TOKEN = 'token '

/** With `PROSE`, words of the documentation replace the repeated token: packed text must not be too easy. */
export const prose: readonly string[] = readFileSync(
  join(import.meta.dirname, '../docs/reference/log.md'),
  'utf8',
).split(/(?<=\s)/)
const words = process.env['PROSE'] ? prose : [TOKEN]

const tokens = Number(process.env['TOKENS'] ?? 1000)
/** Tokens per second; 0 means as fast as they are taken. */
const pace = Number(process.env['PACE'] ?? 0)
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

let streamCount = 0
/** With `GATE`, streams wait until the gate opens. */
const gate = Promise.withResolvers<void>()
export const openGate = (): void => gate.resolve()

/** The time in ms since 1970, which processes of one machine share. */
export const stamp = (): string => (performance.timeOrigin + performance.now()).toFixed(2)

/**
 * The tokens of one answer, with `STAMP` the times at which they were said. Streams start at different offsets, as
 * providers do not send in step.
 */
export async function* tokenStream(): AsyncGenerator<string, void> {
  if (process.env['GATE']) await gate.promise
  if (pace > 0) await pause((streamCount++ * 7) % (1000 / pace))
  for (let count = 0; count < tokens; count++) {
    if (pace > 0) await pause(1000 / pace)
    yield process.env['STAMP'] ? `${stamp()} ` : (words[count % words.length] ?? TOKEN)
  }
}

const usage = {
  inputTokens: { total: 10, noCache: 10, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: tokens, text: tokens, reasoning: undefined },
}

async function* parts(): AsyncGenerator<LanguageModelV4StreamPart, void> {
  yield { type: 'text-start', id: 't' }
  for await (const delta of tokenStream()) yield { type: 'text-delta', id: 't', delta }
  yield { type: 'text-end', id: 't' }
  yield { type: 'finish', finishReason: { unified: 'stop', raw: 'stop' }, usage }
}

export const benchModel: LanguageModelV4 = {
  specificationVersion: 'v4',
  provider: 'bench',
  modelId: 'speech',
  supportedUrls: {},
  doStream: async () => ({ stream: ReadableStream.from(parts()) }),
  doGenerate: () => Promise.reject(new Error('The bench streams.')),
}
