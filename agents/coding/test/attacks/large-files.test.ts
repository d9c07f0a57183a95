import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'

import { describe, expect, it } from 'vitest'

import type { Json } from '../../../../packages/dragoman/src/index.ts'
import { isFull } from '../../../../test/support/is-full.ts'
import { calls, says, step } from '../../../../test/support/scripted-model.ts'
import { codingServer } from '../support/coding.ts'

type ToolInput = readonly [tool: string, input: { readonly [key: string]: Json }]

/** Of the event loop's own thread, in ms: machines of tests are slow and busy. */
const MAX_STAND_MS = 300

/** The most CPU time that this thread takes between two turns of the event loop while the work goes on, in ms. */
async function longestStand(work: () => Promise<unknown>): Promise<number> {
  let [longest, isOver] = [0, false]
  const done = work().finally(() => (isOver = true))
  while (!isOver) {
    const before = process.threadCpuUsage()
    await new Promise((resolve) => setImmediate(resolve))
    const { user, system } = process.threadCpuUsage(before)
    longest = Math.max(longest, (user + system) / 1000)
  }
  await done
  return longest
}

const numbers = (factor: number, prime: number): string =>
  Array.from({ length: 1_500_000 }, (_, at) => ((at * factor) % prime).toString(36)).join('\n')

async function largeFiles() {
  const { root, model, json, send } = await codingServer()
  const files = {
    'lines.txt': '\n'.repeat(7_500_000),
    'letters.txt': 'a'.repeat(9_000_000),
    'a.txt': `${numbers(7919, 100_003)}\nONCE`,
    'b.txt': numbers(104_729, 99_991),
  }
  for (const [name, text] of Object.entries(files)) await writeFile(join(root, name), text)
  const { body: thread } = await json('POST', '/v1/threads', { agent: 'coding' })
  const id = String(thread['id'])
  const run = async (...inputs: readonly ToolInput[]): Promise<string> => {
    model.play([
      step(...inputs.map(([tool, input], at) => calls(`c${at}`, tool, input))),
      step(says('Done.')),
    ])
    const response = await send('POST', `/v1/threads/${id}/runs`, { message: 'go', stream: false })
    return response.text()
  }
  // The worker is ready, and its code is compiled.
  await run(['read_file', { path: 'b.txt' }])
  return { id, run, root, send }
}

describe.runIf(isFull)('large files', () => {
  it('are worked on by tools outside the event loop', async () => {
    const { run } = await largeFiles()
    const edit = (path: string, old: string, now: string, all = false): ToolInput => [
      'edit_file',
      { path, old_string: old, new_string: now, replace_all: all },
    ]
    const ways: Record<string, readonly ToolInput[]> = {
      'one comparison': [['diff', { file_a: 'a.txt', file_b: 'b.txt' }]],
      'an edit that does not fit': [edit('lines.txt', `${'\n'.repeat(300_000)}x`, 'x')],
      'an edit that fits too often': [edit('letters.txt', 'a'.repeat(100_000), 'x')],
      'an edit of each line': [edit('b.txt', '\n', '\r\n\n', true)],
      'many reads': Array.from({ length: 20 }, (_, at) => [
        'read_file',
        { path: 'lines.txt', offset: at + 1 },
      ]),
      'a search': [['search_files', { pattern: '^$', path: 'lines.txt' }]],
    }

    const stands: Record<string, number> = {}
    for (const [name, inputs] of Object.entries(ways)) stands[name] = await longestStand(() => run(...inputs))

    for (const [name, stand] of Object.entries(stands))
      expect([name, stand < MAX_STAND_MS ? 'short' : stand]).toEqual([name, 'short'])
  }, 300_000)

  it('are shown, written and compared for clients outside the event loop', async () => {
    const { id, run, root, send } = await largeFiles()
    await run(['edit_file', { path: 'a.txt', old_string: 'ONCE', new_string: 'DONE' }])
    await writeFile(join(root, 'a.txt'), numbers(104_729, 99_991))
    const four = (path: string) => Promise.all([1, 2, 3, 4].map(async () => (await send('GET', path)).text()))
    const ways: Record<string, () => Promise<unknown>> = {
      changes: () => four(`/coding/threads/${id}/changes`),
      file: () => four(`/coding/threads/${id}/file?path=lines.txt`),
      read: () => send('POST', '/api/files/read', { path: 'lines.txt', offset: 7_000_000, limit: 2 }),
      write: () => send('POST', '/api/files/write', { path: 'b.txt', content: numbers(7919, 100_003) }),
      reference: () => send('POST', `/v1/threads/${id}/runs`, { message: '@lines.txt', stream: false }),
    }

    const stands: Record<string, number> = {}
    for (const [name, act] of Object.entries(ways)) stands[name] = await longestStand(act)

    for (const [name, stand] of Object.entries(stands))
      expect([name, stand < MAX_STAND_MS ? 'short' : stand]).toEqual([name, 'short'])
  }, 300_000)
})
