import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { createTempDir } from '../../../../../test/support/create-temp-dir.ts'
import { gate } from '../../../../../test/support/gate.ts'
import { client } from '../../../../../test/support/http.ts'
import { run } from '../../../../../test/support/process.ts'
import { says, scriptedModel, step, thinks } from '../../../../../test/support/scripted-model.ts'
import { openServer, type TestServer } from '../../../../../test/support/server.ts'
import { serving } from '../../../test/support/run-doctor.ts'
import { book, booking } from '../../../test/support/booking.ts'

const env = { PATH: process.env['PATH'] ?? '' }

/** Runs commands against a server, and reads the JSON that they print. */
function commands(server: Pick<TestServer, 'url'>) {
  const say = (...args: string[]) => run([...args, '--url', server.url], env).ended
  const json = async <T>(...args: string[]): Promise<T> =>
    JSON.parse((await say(...args, '--json')).stdout) as T
  return { say, json }
}

type Thread = { readonly id: string; readonly title: string }
type Threads = { readonly threads: readonly Thread[] }
type Runs = { readonly runs: readonly { readonly id: string; readonly status: string }[] }

describe('the commands for threads', () => {
  it('list, show, rename, archive and delete them', async () => {
    const { models } = scriptedModel([step(thinks('Hm.'), says('你好。')), step(says('Two.'))])
    await using server = await openServer({ models })
    const { say, json } = commands(server)
    await say('chat', '你好世界')
    await say('chat', 'Second')
    const { threads } = await json<Threads>('threads')
    const [second = '', first = ''] = threads.map(({ id }) => id)

    const table = (await say('threads', 'list')).stdout
    const page = (await say('threads', 'show', first)).stdout
    const { stderr: renamed } = await say('threads', 'rename', first, 'New title')
    await say('threads', 'archive', second)
    const archive = await json<Threads>('threads', 'list', '--archived')
    const refusal = await say('threads', 'delete', first)
    const deleted = await say('threads', 'delete', first, '--yes')

    const [header, ...rows] = table.trimEnd().split('\n')
    expect(header).toMatch(/^ID +AGENT +CHANGED +TITLE$/)
    expect(rows.map((row) => row.split(/ {2,}/)[3])).toEqual(['Second', '你好世界'])
    expect(page).toBe('你好世界\n\n> 你好世界\n\n你好。\n')
    expect(renamed).toContain('has the title New title.')
    expect(archive.threads.map(({ id }) => id)).toEqual([second])
    expect(refusal).toMatchObject({
      code: 2,
      stderr: 'dragoman: Without a terminal, a deletion needs --yes.\n',
    })
    expect(deleted.code).toBe(0)
    expect((await json<Threads>('threads')).threads).toEqual([])
  })

  it('export one to standard output or to a file, which is replaced only with --force', async () => {
    const { models } = scriptedModel([step(says('Hi.'))])
    await using server = await openServer({ models })
    const { say, json } = commands(server)
    await say('chat', 'Hello')
    const { id = '' } = (await json<Threads>('threads')).threads[0] ?? {}
    const file = join(await createTempDir(), 'thread.md')

    const { stdout } = await say('export', id)
    await say('export', id, '--format', 'markdown', '--out', file)
    const again = await say('export', id, '--out', file)

    expect((JSON.parse(stdout) as { messages: unknown[] }).messages).toHaveLength(2)
    expect(await readFile(file, 'utf8')).toMatch(/^# Hello\n[^]*Hi\./)
    expect(again).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('exists: name another') as string,
    })
    expect((await say('export', id, '--out', file, '--force')).code).toBe(0)
  })
})

describe('the commands for runs', () => {
  it('list, show, print and stop them', async () => {
    const hold = gate()
    const { models } = scriptedModel([step(says('Half', hold))])
    await using server = await openServer({ models })
    const { say, json } = commands(server)
    const { body } = await client(server).json('POST', '/v1/threads', {})
    const response = await client(server).post(`/v1/threads/${String(body['id'])}/runs`, { message: 'Go' })
    await hold.reached
    const { id = '', status } = (await json<Runs>('runs')).runs[0] ?? {}

    const soFar = await say('logs', id)
    const description = await say('runs', 'show', id)
    const stopped = await say('runs', 'stop', id)
    const again = await say('runs', 'stop', id)
    const whole = await say('logs', id, '--follow')

    expect(status).toBe('running')
    expect(soFar).toMatchObject({ code: 0, stdout: expect.stringMatching(/ 1 .* run\.started/) as string })
    expect(description.stdout).toMatch(/running[^]*Half/)
    expect(stopped.stderr).toBe(`Run ${id} is stopped.\n`)
    expect(again.stderr).toBe(`Run ${id} had ended already.\n`)
    expect(whole.stdout.trimEnd().split('\n').at(-1)).toContain('run.cancelled')
    await response.text()
  })

  it('list and answer questions, of which each has one answer', async () => {
    const { models, prompts } = scriptedModel(booking())
    await using server = await openServer({ models, tools: [book] })
    const { say, json } = commands(server)
    await say('chat', 'Book')
    const { questions } = await json<{ questions: { callId: string; runId: string }[] }>('questions')
    const { callId = '', runId = '' } = questions[0] ?? {}

    const table = await say('questions')
    const nonsense = await say('questions', 'answer', callId, 'maybe')
    const missing = await say('questions', 'answer', callId)
    const denied = await say('questions', 'answer', callId, 'no', '--reason', 'too many')
    await say('logs', runId, '--follow')
    const again = await say('questions', 'answer', callId, 'yes')

    expect(table.stdout).toMatch(/approval .* book +\{"people":4\}/)
    expect(nonsense).toMatchObject({ code: 2, stderr: expect.stringContaining('yes, no') as string })
    expect(missing.stderr).toContain('Answer with yes, with no, or with --output JSON.')
    expect(denied.code).toBe(0)
    expect(JSON.stringify(prompts[1])).toContain('too many')
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('is not open') as string })
    expect((await say('questions', 'answer', 'none', 'yes')).stderr).toContain('There is no question none.')
  })
})

describe('a server', () => {
  it('that is not there is named, with what to do', async () => {
    const { say } = commands({ url: 'http://127.0.0.1:9' })

    for (const args of [['threads'], ['chat', 'Hi']])
      expect(await say(...args)).toEqual({
        code: 1,
        stdout: '',
        stderr:
          'dragoman: No server answers at http://127.0.0.1:9. Start one with "dragoman", or name another with --url.\n',
      })
    expect((await run(['threads', '--url', 'chat.example'], env).ended).stderr).toContain(
      'must be an address like https://chat.example.',
    )
  })

  it('that is another program is said to be one', async () => {
    await using other = await serving((_, response) => response.writeHead(404).end('<html>'))
    await using polite = await serving((_, response) => response.end('<html>'))

    for (const { url } of [other, polite])
      expect((await commands({ url }).say('runs')).stderr).toContain(`Another program answers at ${url}.`)
  })

  it('that needs a token gets it from the flag or the variable', async () => {
    const { models } = scriptedModel([step(says('Hi.'))])
    await using server = await openServer({ models, flags: ['--require-token'], users: ['ada'] })
    const { say } = commands(server)
    const token = server.token('ada')

    const without = await say('chat', 'Hello')
    const wrong = await say('chat', 'Hello', '--token', 'dgm_wrong')
    const right = await say('chat', 'Hello', '--token', token)
    const byVariable = await run(['threads', '--url', server.url], { ...env, DRAGOMAN_TOKEN: token }).ended

    expect(without).toMatchObject({ code: 1, stdout: '' })
    expect(without.stderr).toContain(`${server.url} needs a token: pass one with --token or DRAGOMAN_TOKEN.`)
    expect(without.stderr).toContain('dragoman token create --name NAME')
    expect(wrong.stderr).toContain('does not accept the token')
    expect(wrong.stderr).not.toContain('dgm_wrong')
    expect(right).toMatchObject({ code: 0, stdout: 'Hi.\n' })
    expect(byVariable.stdout).toContain('Hello')
  })
})

describe('a server that redirects', () => {
  it('gets no second request, and no other address gets the token', async () => {
    const requests: string[] = []
    const other = createServer((request, response) => {
      requests.push(request.url ?? '')
      response.end('{}')
    })
    const redirecting = createServer((request, response) => {
      response.writeHead(307, { location: `http://localhost:${portOf(other)}${request.url}` }).end()
    })
    for (const each of [other, redirecting]) await once(each.listen(0), 'listening')

    const { code, stderr } = await run(
      ['threads', '--url', `http://127.0.0.1:${portOf(redirecting)}`, '--token', 'dgm_secret'],
      env,
    ).ended

    expect(code).toBe(1)
    expect(stderr).toContain('Name the server’s own address with --url.')
    expect(requests).toEqual([])
    for (const each of [other, redirecting]) each.close()
  })
})

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port
}

describe('dragoman open', () => {
  it('prints the address without a display', async () => {
    const url = 'http://127.0.0.1:3033/$(touch x)'

    const plain = await run(['open', 'inbox', '--url', url], env).ended
    const wrong = await run(['open', 'nowhere'], env).ended

    expect(plain).toMatchObject({ code: 0, stdout: `${url}/console/inbox\n` })
    expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('chat, inbox') as string })
  })

  it.runIf(process.platform === 'linux')('starts the browser without a shell', async () => {
    const folder = await createTempDir()
    const file = join(folder, 'address')
    await writeFile(join(folder, 'xdg-open'), `#!/bin/sh\nprintf '%s' "$*" >${file}\n`, { mode: 0o755 })
    const display = { PATH: `${folder}:${env.PATH}`, DISPLAY: ':9' }

    const { stdout } = await run(['open', '--url', 'http://127.0.0.1:9/$(touch x)'], display).ended

    expect(stdout).toBe('')
    await expect.poll(() => readFile(file, 'utf8').catch(() => '')).toBe('http://127.0.0.1:9/$(touch x)/')
  })
})
