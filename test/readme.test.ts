import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { DefaultChatTransport, readUIMessageStream, type UIMessage } from 'ai'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { resumableFetch } from '../packages/client/src/index.ts'
import { createTempDir } from './support/create-temp-dir.ts'
import { findFreePort } from './support/find-free-port.ts'

const ROOT = join(import.meta.dirname, '..')

describe('the program of the README', () => {
  let home: string
  let port: number
  let child: ChildProcess | undefined
  beforeEach(async () => {
    home = await createTempDir()
    port = await findFreePort()
  })
  afterEach(async () => {
    await kill()
  })

  /** Runs it as it stands there, on a free port and with a home of its own. */
  const start = async (pace: string): Promise<void> => {
    const [, program = ''] = /```ts\n(.*?)```/s.exec(await readFile(join(ROOT, 'README.md'), 'utf8')) ?? []
    const args = ['--input-type=module-typescript', '-e', program.replace('port: 3033', `port: ${port}`)]
    const env = { PATH: process.env['PATH'] ?? '', DRAGOMAN_HOME: home, DRAGOMAN_OFFLINE_PACE: pace }
    child = spawn(process.execPath, args, { cwd: ROOT, env, stdio: ['ignore', 'ignore', 'inherit'] })
    await expect
      .poll(
        () =>
          fetch(url('/health')).then(
            (response) => response.ok,
            () => false,
          ),
        { interval: 50 },
      )
      .toBe(true)
  }
  const kill = async (): Promise<void> => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }
  const url = (path: string): string => `http://127.0.0.1:${port}${path}`
  const roll = 'Roll a die with 6 sides'

  it('answers curl and useChat', async () => {
    await start('0')
    const readme = await readFile(join(ROOT, 'README.md'), 'utf8')
    const [, path = '', body = ''] = /curl -N http:\/\/127\.0\.0\.1:3033(\S+) .* -d '(.*)'/.exec(readme) ?? []
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(url(path), { method: 'POST', headers, body })
    expect(response.status).toBe(200)
    expect(await response.text()).toContain('run.finished')

    const transport = new DefaultChatTransport({ api: url('/dice/chat') })
    expect(textOf(await answerOf(transport, roll))).toContain('ANTHROPIC_API_KEY')
  })

  it('resumes a client’s stream after a kill', async () => {
    await start('20')
    let isKilled = false
    const transport = new DefaultChatTransport({ api: url('/dice/chat'), fetch: resumableFetch() })
    const answer = await answerOf(transport, roll, async (message) => {
      if (isKilled || textOf(message).length < 40) return
      isKilled = true
      await kill()
      await start('0')
    })

    expect(isKilled).toBe(true)
    expect(textOf(answer)).toContain('ANTHROPIC_API_KEY')
    expect(textOf(answer).split('ANTHROPIC_API_KEY')).toHaveLength(2)
  })
})

async function answerOf(
  transport: DefaultChatTransport<UIMessage>,
  text: string,
  each: (message: UIMessage) => Promise<void> = async () => undefined,
): Promise<UIMessage | undefined> {
  const stream = await transport.sendMessages({
    trigger: 'submit-message',
    chatId: 'my-chat',
    messageId: undefined,
    messages: [{ id: 'm1', role: 'user', parts: [{ type: 'text', text }] }],
    abortSignal: undefined,
  })
  let last: UIMessage | undefined
  for await (const message of readUIMessageStream({ stream })) {
    last = message
    await each(message)
  }
  return last
}

function textOf(message: UIMessage | undefined): string {
  return (message?.parts ?? []).map((part) => (part.type === 'text' ? part.text : '')).join('')
}
