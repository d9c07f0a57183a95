import { appendFileSync } from 'node:fs'
import { join } from 'node:path'

import type { LanguageModelV4Prompt, LanguageModelV4ToolResultPart } from '@ai-sdk/provider'
import { z } from 'zod'

import { createServer, defineTool, readConfig, toolResult } from '../packages/dragoman/src/index.ts'
import { bundledProtocols } from '../apps/server/test/support/bundled-protocols.ts'
import { gate, type Gate } from '../test/support/gate.ts'
import { calls, says, scriptedModel, step, type Step } from '../test/support/scripted-model.ts'

/** The server that `npm run outlive` kills. Its model derives its output from the prompt, so a run can continue. */

const WORD_MS = 50
/** How long the booking takes: long enough to be killed in. */
const BOOKING_MS = 3000

const config = readConfig(process.argv.slice(2), process.env)
const effectsFile = join(config.home, 'written.txt')

const book = defineTool({
  name: 'book',
  description: 'Books a table. It acts when it begins, and then takes its time.',
  inputSchema: z.object({ table: z.int() }),
  execute: async ({ table }, { idempotencyKey, signal }) => {
    appendFileSync(effectsFile, `table ${table}, key ${idempotencyKey}\n`)
    await later(BOOKING_MS).pass(signal)
    return toolResult({ output: { table }, text: `Table ${table} is booked.` })
  },
})
const pay = defineTool({
  name: 'pay',
  description: 'Pays. Somebody must say yes first.',
  inputSchema: z.object({ amount: z.int() }),
  needsApproval: true,
  execute: async ({ amount }, { idempotencyKey }) => {
    appendFileSync(effectsFile, `paid ${amount}, key ${idempotencyKey}\n`)
    return toolResult({ output: { amount }, text: `${amount} paid.` })
  },
})

const { models } = scriptedModel(Array.from({ length: 100 }, () => reply))
const agent = {
  id: 'demo',
  name: 'Demo',
  description: 'It counts, books and pays.',
  instructions: 'Count, book and pay.',
  engine: 'default',
  model: { primary: 'sonnet', fallback: 'haiku' },
  maxSteps: 10,
  tools: [book, pay],
}
const dragoman = await createServer({ agents: [agent], config, models, protocols: bundledProtocols })
process.once('SIGTERM', () => void dragoman.close().then(() => process.exit()))
process.once('disconnect', () => process.exit())
process.send?.({ url: await dragoman.listen() })

function reply(prompt: LanguageModelV4Prompt): Step {
  const { request, said, outcome } = readPrompt(prompt)
  const number = Number(/\d+/.exec(request)?.[0] ?? 40)
  if (outcome !== undefined) return step(...slowly([`I was told: ${outcome}`]))
  if (request.startsWith('Book')) return step(calls('c', 'book', { table: number }))
  if (request.startsWith('Pay')) return step(calls('c', 'pay', { amount: number }))
  const words = Array.from({ length: number }, (_none, n) => `${n + 1}`)
  const done = said.split(' ').filter((word) => words.includes(word)).length
  return step(...slowly(words.slice(done).map((word, n) => (n + done === 0 ? word : ` ${word}`))))
}

type PromptTail = { request: string; said: string; outcome: string | undefined }

/** What was asked last, and what has been said and done about it. */
function readPrompt(prompt: LanguageModelV4Prompt): PromptTail {
  let about: PromptTail = { request: '', said: '', outcome: undefined }
  for (const { role, content } of prompt) {
    if (role === 'system') continue
    for (const part of content) {
      if (role === 'user' && part.type === 'text' && !part.text.includes('cut off'))
        about = { request: part.text, said: '', outcome: undefined }
      if (role === 'assistant' && part.type === 'text') about.said += ` ${part.text}`
      if (part.type === 'tool-result') about.outcome = wordsOf(part.output)
    }
  }
  return about
}

function wordsOf(output: LanguageModelV4ToolResultPart['output']): string {
  return output.type === 'text' || output.type === 'error-text' ? output.value : ''
}

function slowly(words: readonly string[]): ReturnType<typeof says>[] {
  return [says(...words.flatMap((word, n) => [later((n + 1) * WORD_MS), word]))]
}

function later(ms: number): Gate {
  const opens = gate()
  setTimeout(opens.open, ms)
  return opens
}
