import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import type { Json } from '../../../../packages/dragoman/src/index.ts'
import { reading, type Reading } from '../../../../test/support/event-stream.ts'
import { calls, says, step } from '../../../../test/support/scripted-model.ts'
import { codingServer, type CodingServer } from '../support/coding.ts'

const COMMAND = 'echo done > ran.txt && cat ran.txt'
const script = [step(calls('c1', 'execute_command', { command: COMMAND })), step(says('It ran.'))]
// No program of a sandbox is found in it.
const env = { PATH: '/nowhere' }

async function chats(served: CodingServer) {
  const post = (path: string, body: object, signal?: AbortSignal): Promise<Response> =>
    fetch(`${served.server.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      ...(signal && { signal }),
    })
  const questions = async (): Promise<Json[]> => {
    const { body } = await served.json('GET', '/v1/questions')
    return (body as { questions: Json[] }).questions
  }
  const question = async (): Promise<Record<string, Json>> => {
    await expect.poll(async () => (await questions()).length).toBe(1)
    return (await questions())[0] as Record<string, Json>
  }
  const answer = async ({ runId, callId }: Record<string, Json>, approved: boolean): Promise<number> => {
    const body = { callId, answer: { kind: 'approval', approved } }
    return (await post(`/v1/runs/${runId as string}/answers`, body)).status
  }
  return { post, questions, question, answer }
}

const CHATS = {
  'agent chat': {
    path: '/api/agent-chat',
    body: ({ root }: CodingServer) => ({ message: 'go', workDir: root }),
  },
  'chat stream': { path: '/api/chat/stream', body: () => ({ message: 'go' }) },
} as const

describe.each(Object.entries(CHATS))('a command without a sandbox, in the %s', (name, { path, body }) => {
  it.each([true, false])(
    'is asked about in /v1/questions while the stream stays open; yes: %s',
    async (yes) => {
      const served = await codingServer({ env })
      const { post, question, answer, questions } = await chats(served)
      served.model.play(script)

      const stream: Reading = reading(await post(path, body(served)))
      const found = await question()
      expect(found).toMatchObject({ agent: 'coding', tool: 'execute_command', input: { command: COMMAND } })
      if (name === 'agent chat') {
        expect(found['threadId']).toBe(null)
        await stream.until('dragoman questions')
      }
      expect(await answer(found, yes)).toBe(200)

      expect((await stream.whole()).toString()).toContain('It ran.')
      const ran = await readFile(join(served.root, 'ran.txt'), 'utf8').catch(() => 'never')
      expect(ran).toBe(yes ? 'done\n' : 'never')
      expect(await questions()).toEqual([])
    },
  )

  it('runs where the owner allows it', async () => {
    const served = await codingServer({ env, flags: ['--commands', 'allow'] })
    const { post } = await chats(served)
    served.model.play(script)

    expect((await reading(await post(path, body(served))).whole()).toString()).toContain('It ran.')
    expect(await readFile(join(served.root, 'ran.txt'), 'utf8')).toBe('done\n')
  })
})

describe('the agent chat', () => {
  it('closes its question when its caller leaves', async () => {
    const served = await codingServer({ env })
    const { post, question, questions } = await chats(served)
    served.model.play(script)
    const abort = new AbortController()
    const body = CHATS['agent chat'].body(served)
    await post('/api/agent-chat', body, abort.signal)
    await question()

    abort.abort()

    await expect.poll(questions).toEqual([])
  })

  it('begins the prompt with the documented text, and goes on with the agent’s own', async () => {
    const served = await codingServer({ env })
    const { post } = await chats(served)
    served.model.play([step(says('Hello.'))])

    await (await post('/api/agent-chat', CHATS['agent chat'].body(served))).text()

    const [prompt] = served.model.prompts
    const system = JSON.stringify(prompt?.[0]?.content)
    expect(system).toMatch(
      new RegExp(`^"You are an AI coding assistant working in the directory: ${served.root}\\\\n`),
    )
    expect(system).toContain(
      `Current working directory: ${served.root}\\nOperating system: ${process.platform}`,
    )
    expect(system).toContain('\\n\\nYou are a coding assistant.')
  })
})
