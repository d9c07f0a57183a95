import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import * as ai from 'ai'
import { describe, expect, it, vi } from 'vitest'

import { resumableFetch } from '../../packages/client/src/index.ts'
import { cutLine } from '../support/cut-line.ts'
import { isFull } from '../support/is-full.ts'
import { useProcesses } from '../support/use-processes.ts'
import type { run } from '../support/process.ts'
import type { ScriptedStep } from '../support/scripted-server.ts'
import { allBuilds, openChat, textOf } from './sdk-chat.ts'

// Where several things run at once a process may take long to begin.
vi.setConfig({ testTimeout: 60_000 })

const PROGRAM = join(import.meta.dirname, '../support/scripted-server.ts')

const house = useProcesses()

function started(script: readonly ScriptedStep[]) {
  return house.start([house.home, JSON.stringify(script)], {}, undefined, PROGRAM)
}

/** Kills the server that a line leads to, and leads it to another, whose model goes on as it says. */
async function killed(
  first: ReturnType<typeof run>,
  line: { lead(to: string | undefined): void },
  script: readonly ScriptedStep[],
): Promise<void> {
  first.kill()
  await first.ended
  line.lead(undefined)
  line.lead(await started(script).ready)
}

const halves = [
  [{ says: ['Es regnet, ', '下雨 ☔️', null] }],
  [{ says: [' and it ', '不停.'] }],
] as const satisfies readonly (readonly ScriptedStep[])[]
const WHOLE = 'Es regnet, 下雨 ☔️ and it 不停.'

/** The latest of each major version: each test starts two processes. */
const LATEST = isFull ? ['5.0.277', '6.0.326', '7.0.173'] : ['7.0.173']

describe('a chat of a killed server', () => {
  it.each(LATEST)('continues the message of the AI SDK client %s without repetitions', async (build) => {
    const sdk = await allBuilds[build]?.()
    if (!sdk) throw new Error(`There is no build ${build}.`)
    const first = started(halves[0])
    await using line = await cutLine(await first.ready)
    const ends: object[] = []
    const chat = openChat(sdk, {
      url: line.url,
      id: 'chat-1',
      fetch: resumableFetch(),
      onFinish: (end) => ends.push({ ...end, message: undefined, messages: undefined }),
    })
    const sending = chat.sendMessage({ text: 'Go.' })
    await chat.shows('下雨 ☔️')
    const before = structuredClone(chat.messages)

    await killed(first, line, halves[1])
    await sending

    expect({ status: chat.status, error: chat.error }).toEqual({ status: 'ready', error: undefined })
    expect(chat.messages).toHaveLength(2)
    expect(chat.messages[1]?.id).toBe(before[1]?.id)
    expect(textOf(chat.messages[1])).toBe(WHOLE)
    for (const end of ends) expect(end).not.toMatchObject({ isError: true })
    const open = chat.messages[1]?.parts.filter((part) => 'state' in part && part.state === 'streaming')
    expect(open).toEqual([])
  })

  it('reports the unknown outcome of an interrupted tool, which does not run again', async () => {
    const first = started([{ says: ['I write.'], calls: 'write' }])
    await using line = await cutLine(await first.ready)
    const chat = openChat(ai, { url: line.url, id: 'chat-1', fetch: resumableFetch() })
    const sending = chat.sendMessage({ text: 'Go.' })
    await chat.shows('tool-write')
    const readEffects = (): Promise<string> => readFile(join(house.home, 'written'), 'utf8').catch(() => '')
    await expect.poll(readEffects).toBe('a line\n')

    await killed(first, line, [{ says: ['It may be written.'] }])
    await sending

    expect({ status: chat.status, error: chat.error }).toEqual({ status: 'ready', error: undefined })
    expect(textOf(chat.messages[1])).toBe('I write.It may be written.')
    const call = chat.messages[1]?.parts.find(({ type }) => type === 'tool-write')
    expect(call).toMatchObject({ state: 'output-error', errorText: expect.any(String) })
    expect(await readEffects()).toBe('a line\n')
  })
})
