import { describe, expect, it } from 'vitest'

import { cutLine } from '../../../../../test/support/cut-line.ts'
import { gate } from '../../../../../test/support/gate.ts'
import { client } from '../../../../../test/support/http.ts'
import { run } from '../../../../../test/support/process.ts'
import { calls, says, scriptedModel, step, thinks } from '../../../../../test/support/scripted-model.ts'
import { openServer } from '../../../../../test/support/server.ts'
import { weather } from '../../../../../test/support/story-tools.ts'
import { book, booking } from '../../../test/support/booking.ts'

const env = { PATH: process.env['PATH'] ?? '' }
const chat = (url: string, ...args: string[]) => run(['chat', '--url', url, ...args], env)

describe('dragoman chat with a message', () => {
  it('prints the answer alone on standard output', async () => {
    const { models } = scriptedModel([
      step(thinks('Hm.'), calls('c1', 'weather', { city: 'Tromsø' })),
      step(says('It rains 下雨.\n\u001b[31mRed\u001b[0m')),
    ])
    await using server = await openServer({ models, tools: [weather] })

    const { code, stdout, stderr } = await chat(server.url, 'Weather?').ended

    expect({ code, stdout }).toEqual({ code: 0, stdout: 'It rains 下雨.\n[31mRed[0m\n' })
    expect(stderr).toBe('Thought for 1 s\n✓ weather Tromsø → Rain in Tromsø.\n')
  })

  it('prints entries as JSON lines with --json, and takes the message from standard input', async () => {
    const { models, prompts } = scriptedModel([step(says('Hi.'))])
    await using server = await openServer({ models })

    const { code, stdout } = await run(
      ['chat', '--json'],
      { ...env, DRAGOMAN_URL: server.url },
      'printf "Good\\nmorning" | "$0" "$@"; exit $?',
    ).ended

    const entries = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { seq: number; type: string })
    expect(code).toBe(0)
    expect(entries.map(({ seq }) => seq)).toEqual(entries.map((_, index) => index + 1))
    expect(entries.at(-1)?.type).toBe('run.finished')
    expect(JSON.stringify(prompts[0])).toContain('Good\\nmorning')
  })

  it('continues a thread by its id, or the latest', async () => {
    const { models, prompts } = scriptedModel([step(says('1')), step(says('2')), step(says('3'))])
    await using server = await openServer({ models })
    await chat(server.url, 'one').ended
    const { body } = await client(server).json('GET', '/v1/threads')
    const [thread] = body['threads'] as [{ id: string }]

    await chat(server.url, 'two', '--thread', thread.id).ended
    await chat(server.url, 'three', '--continue').ended

    expect(JSON.stringify(prompts[2])).toMatch(/one.*two.*three/)
  })

  it('exits with 3 if the run waits for an answer, and says how to give it', async () => {
    const { models } = scriptedModel(booking())
    await using server = await openServer({ models, tools: [book] })

    const { code, stdout, stderr } = await chat(server.url, 'Book').ended
    const [, callId = ''] = /dragoman questions answer (\S+) yes/.exec(stderr) ?? []
    const answered = await run(['questions', 'answer', callId, 'yes', '--url', server.url], env).ended
    const [runId = ''] = callId.split('.')
    const log = await run(['logs', runId, '--follow', '--json', '--url', server.url], env).ended

    expect({ code, stdout }).toEqual({ code: 3, stdout: '' })
    expect(stderr).toContain('The run waits for an answer to book {"people":4}')
    expect(answered.code).toBe(0)
    expect(log.stdout).toContain('Booked for 4.')
    expect(log.stdout.trim().split('\n').at(-1)).toContain('"type":"run.finished"')
  })

  it('exits with 1 if the answer fails', async () => {
    const { models } = scriptedModel([])
    await using server = await openServer({ models })

    const { code, stdout, stderr } = await chat(server.url, 'Hi').ended

    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain('The model scripted:model did not answer as it should.')
  })

  it('stops the run at Ctrl+C', async () => {
    const hold = gate()
    const { models } = scriptedModel([step(says('Half', hold))])
    await using server = await openServer({ models })
    const child = chat(server.url, 'Hi')
    await hold.reached

    // The child runs in a shell of the same process.
    child.signal('SIGINT')
    const { code, stdout, stderr } = await child.ended

    expect({ code, stdout }).toEqual({ code: 130, stdout: 'Half\n' })
    expect(stderr).toContain('Stopping')
    expect(stderr).toContain('Stopped.')
  })

  it('resumes after the connection is cut, without doubled or lost text', async () => {
    const [first, second] = [gate(), gate()]
    const { models } = scriptedModel([step(says('One ', first, 'two ', second, 'three.'))])
    await using server = await openServer({ models })
    await using line = await cutLine(server.url)
    const child = chat(line.url, 'Count')
    await expect.poll(() => child.output.stdout).toBe('One ')
    line.cut()
    first.open()
    await expect.poll(() => child.output.stdout, { timeout: 5000 }).toBe('One two ')
    line.cut()
    second.open()

    const { code, stdout, stderr } = await child.ended

    expect({ code, stdout }).toEqual({ code: 0, stdout: 'One two three.\n' })
    expect(stderr).toBe('Connection lost; reconnecting …\nConnected again.\n'.repeat(2))
  })
})
