import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { describe, expect, it, onTestFinished } from 'vitest'

import type { Envelope } from '../../src/protocols/envelope/wire.ts'
import { codingServer, type CodingServer } from '../support/coding.ts'
import { eventsOf, reading } from '../../../../test/support/event-stream.ts'
import { gate } from '../../../../test/support/gate.ts'
import { calls, FAILED, refuses, says, step, type Script } from '../../../../test/support/scripted-model.ts'
import { accumulating, keepingState } from './described-clients.ts'

type Mode = 'incremental' | 'full'

/** The coding agent as it is but for its engine, with a file in its folder. */
async function served(engine: string): Promise<CodingServer> {
  const home = await mkdtemp(join(tmpdir(), 'dragoman-test-'))
  onTestFinished(() => rm(home, { recursive: true, force: true }))
  await mkdir(join(home, 'agents/coding'), { recursive: true })
  await writeFile(join(home, 'agents/coding/agent.json'), JSON.stringify({ engine }))
  const coding = await codingServer({ home })
  await writeFile(join(coding.root, 'name.txt'), '名字')
  return coding
}

/** Asks over the network, and reads to the end; each of `words` is waited for before what follows is said. */
async function read(
  { server, model }: CodingServer,
  responseMode: Mode,
  script: (holds: ReturnType<typeof gate>[]) => Script,
  words: readonly string[] = [],
): Promise<Envelope[]> {
  const holds = words.map(() => gate())
  model.play(script(holds))
  const stream = reading(
    await fetch(`${server.url}/api/chat/stream`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ sessionId: 's', messageId: 'm', message: 'Analyze it.', responseMode }),
    }),
  )
  for (const [index, word] of words.entries()) {
    await stream.until(word)
    holds[index]?.open()
  }
  return eventsOf(await stream.whole()).map(({ data }) => JSON.parse(data) as Envelope)
}

const analyzing =
  (path: string) =>
  ([first, second]: ReturnType<typeof gate>[]): Script => [
    step(says("I'll", ...(first ? [first] : []), ' analyze'), calls('c1', 'read_file', { path })),
    step(says('Done', ...(second ? [second] : []), '.')),
  ]

describe.each(['pi', 'default'])('a served chat stream, driven by %s', (engine) => {
  it.each<[Mode]>([['incremental'], ['full']])(
    '%s, is read by the clients of the description',
    async (mode) => {
      const coding = await served(engine)

      const frames = await read(coding, mode, analyzing('none.txt'), ["I'll", 'Done'])

      const { handleStreamMessage, messageState, finished } = keepingState(mode)
      for (const response of frames) handleStreamMessage(response)
      const states = [...messageState.values()]
      expect(states.flatMap(({ type, value }) => (type === 'content' ? [value] : []))).toEqual([
        "I'll analyze",
        'Done.',
      ])
      expect(states.map(({ type }) => type)).toContain('tool_execution_error')
      expect(states.every(({ status }) => status === 'generated')).toBe(true)
      expect(finished()).toBe(1)
      if (mode === 'full') return
      const { handleMessage, contentBuffer } = accumulating()
      for (const { messages } of frames) messages.forEach(handleMessage)
      expect(Object.values(contentBuffer)).toEqual(["I'll analyze", 'Done.'])
    },
  )

  it.each<[Mode]>([['incremental'], ['full']])('%s, ends once where its model fails', async (mode) => {
    const coding = await served(engine)

    const frames = await read(coding, mode, () => [refuses(new Error('boom'))])

    const { handleStreamMessage, messageState, finished } = keepingState(mode)
    for (const response of frames) handleStreamMessage(response)
    expect(finished()).toBe(1)
    expect(frames.at(-1)?.msgStatus).toBe('finished')
    expect([...messageState.values()]).toMatchObject([
      { type: 'error', value: { code: 'model-failed', message: FAILED }, status: 'generated' },
    ])
  })
})
