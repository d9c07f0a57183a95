import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import type { LanguageModelV4Prompt } from '@ai-sdk/provider'
import { describe, expect, it } from 'vitest'

import { hasSandbox, countProcesses } from '../../src/commands/commands.fixture.ts'
import type { Json } from '../../../../packages/dragoman/src/index.ts'
import { codingServer, type CodingServer } from '../support/coding.ts'
import { framesOf, reading } from '../../../../test/support/event-stream.ts'
import { calls, linesOf, refuses, says, step } from '../../../../test/support/scripted-model.ts'

// Without a sandbox each command needs an approval, which this test does not give.
const isSandboxed = await hasSandbox()

type Frame = Readonly<Record<string, Json>>

/** The checklist at the end of the document that describes `/api/agent-chat`, line by line, over real sockets. */
describe.each(['pi', 'default'])('the checklist of the agent chat, with %s:', (engine) => {
  const opened = async () => {
    const served = await codingServer({ engine, env: { PATH: process.env['PATH'] ?? '' } })
    const post = (body: object, signal?: AbortSignal): Promise<Response> =>
      fetch(`${served.server.url}/api/agent-chat`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ workDir: served.root, ...body }),
        ...(signal && { signal }),
      })
    const ask = async (message: string, history?: Json): Promise<Frame[]> => {
      const body = { message, ...(history !== undefined && { history }) }
      return framesOf(await reading(await post(body)).whole()) as Frame[]
    }
    return { ...served, post, ask }
  }

  it('answers a request with an event stream', async () => {
    const { model, post } = await opened()
    model.play([step(says('让我', '看看。'))])

    const answer = await post({ message: '你好' })

    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toContain('text/event-stream')
    expect(framesOf(await reading(answer).whole())).toMatchObject([
      { type: 'agent_start' },
      { type: 'thinking_start' },
      { type: 'content', content: expect.any(String) },
      { type: 'thinking_end' },
      { type: 'turn_end' },
      { type: 'complete', messages: [{ role: 'user' }, { role: 'assistant', content: '让我看看。' }] },
    ])
  })

  it('reads files with its tool and knows their content', async () => {
    const { model, root, ask } = await opened()
    await writeFile(join(root, 'index.ts'), 'export const 答案 = 42\n')
    model.play([step(calls('c1', 'read_file', { path: 'index.ts' })), step(says('It is 42.'))])

    const frames = await ask('What is the answer?')

    expect(typesOf(frames)).toEqual([
      'agent_start',
      'thinking_start',
      'tool_use',
      'thinking_end',
      'tool_result',
      'turn_end',
      'thinking_start',
      'content',
      'thinking_end',
      'turn_end',
      'complete',
    ])
    const [use] = only(frames, 'tool_use')
    expect(use).toMatchObject({ toolName: 'read_file', toolInput: { path: 'index.ts' } })
    const read = { toolId: use?.['toolId'], content: 'export const 答案 = 42', isError: false }
    expect(only(frames, 'tool_result')).toMatchObject([read])
    expect(JSON.stringify(model.prompts[1])).toContain('答案 = 42')
  })

  it.skipIf(!isSandboxed)('runs shell commands and has their output', async () => {
    const { model, root, ask } = await opened()
    model.play([
      step(calls('c1', 'execute_command', { command: 'pwd; echo 你好 >&2; exit 3' })),
      step(says('It failed.')),
    ])

    const frames = await ask('run it')

    const [result] = only(frames, 'tool_result')
    expect(result).toMatchObject({ isError: false, content: expect.stringMatching(/^Exit code 3/) })
    expect(result?.['content']).toContain(`${root}\n你好\n`)
    const output = only(frames, 'tool_update').map(({ content }) => content as string)
    expect(output.join('')).toBe(`${root}\n你好\n`)
    expect(JSON.stringify(model.prompts[1])).toContain('你好')
  })

  it('remembers the conversation if the next request contains it', async () => {
    const { model, root, ask } = await opened()
    await writeFile(join(root, 'a.txt'), 'alpha\n')
    model.play([
      step(says('I look.'), calls('c1', 'read_file', { path: 'a.txt' })),
      step(says('It says alpha.')),
      step(calls('c2', 'read_file', { path: 'b.txt' })),
      step(says('It is not there.')),
      step(says('alpha')),
      step(says('No.')),
    ])

    const first = await ask('Read a.txt')
    const second = await ask('And b.txt?', first.at(-1)?.['messages'])
    const third = await ask('What was in the first?', second.at(-1)?.['messages'])
    await ask('Do you know me?')

    expect(third.at(-1)?.['messages']).toHaveLength(9)
    expect(linesOf(model.prompts[4])).toEqual([
      'user: Read a.txt',
      'assistant: I look. [read_file]',
      'tool: [read_file]',
      'assistant: It says alpha.',
      'user: And b.txt?',
      'assistant: [read_file]',
      'tool: [read_file]',
      'assistant: It is not there.',
      'user: What was in the first?',
    ])
    expect(linesOf(model.prompts[5])).toEqual(['user: Do you know me?'])
  })

  it.runIf(isSandboxed).each(['the caller leaves', 'the run is stopped'])(
    'leaves no process when %s',
    async (how) => {
      const { model, post, server } = await opened()
      const word = `1000.${how.length}${engine.length}${process.pid}`
      const command = `sleep ${word} & yes ${word}`
      model.play([step(calls('c1', 'execute_command', { command }))])
      const abort = new AbortController()
      const answer = await post({ message: 'run it' }, abort.signal)
      const run = `/v1/runs/${answer.headers.get('x-run-id')}`
      await reading(answer).until('tool_update')
      expect(await countProcesses(word)).toBeGreaterThan(1)

      if (how === 'the caller leaves') abort.abort()
      else await fetch(`${server.url}${run}/stop`, { method: 'POST' })

      await expect.poll(() => countProcesses(word), { timeout: 2000, interval: 20 }).toBe(0)
      await expect.poll(() => statusOf(server, run), { interval: 20 }).toBe('cancelled')
    },
  )

  it('reports errors as frames, and continues after errors of tools', async () => {
    const { model, ask } = await opened()
    model.play([step(calls('c1', 'read_file', { path: '/etc/passwd' })), refuses(new Error('sk-key'))])

    const frames = await ask('go')

    expect(only(frames, 'tool_result')).toMatchObject([{ isError: true }])
    expect(frames.slice(-2)).toMatchObject([
      { type: 'error', error: expect.any(String), message: expect.any(String), code: 'model-failed' },
      { type: 'complete' },
    ])
    expect(JSON.stringify(frames)).not.toContain('sk-key')
  })

  it('tells the model its folder, its tools and its rules', async () => {
    const { model, root, ask } = await opened()
    model.play([step(says('Hello.'))])
    await ask('hello')

    const words = systemOf(model.prompts[0])
    const tools =
      'read_file, write_file, edit_file, list_directory, diff, search_files, glob_files, execute_command'
    expect(words).toContain(`Working directory: ${root}\n`)
    expect(words).toContain(`Operating system: ${process.platform}\n`)
    expect(words).toContain(`Your tools: ${tools}.`)
    for (const guide of [/read a file before you change it/, /say .*what you are about to do/, /what failed/])
      expect(words).toMatch(guide)
    expect(words).toMatch(/what you have changed/)
  })
})

function typesOf(frames: readonly Frame[]): Json[] {
  return frames.map(({ type = '' }) => type)
}

function only(frames: readonly Frame[], type: string): Frame[] {
  return frames.filter((frame) => frame['type'] === type)
}

function systemOf(prompt: LanguageModelV4Prompt | undefined): string {
  return (prompt ?? []).flatMap((message) => (message.role === 'system' ? [message.content] : [])).join('\n')
}

async function statusOf(server: CodingServer['server'], run: string): Promise<string> {
  const body = (await (await fetch(`${server.url}${run}`)).json()) as { run: { status: string } }
  return body.run.status
}
