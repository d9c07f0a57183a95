import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

import { framesOf, reading } from '../../../../test/support/event-stream.ts'
import { eveRequest } from '../../../../agents/jobs/test/support/eve-request.ts'
import { useProcesses } from '../../../../test/support/use-processes.ts'
import { ask } from '../../../../test/support/wire.ts'
import { postJson } from '../../../../test/support/http.ts'

const house = useProcesses()
const PRELOAD = `--import=${join(import.meta.dirname, '../../../../test/support/failing-on-signal.ts')}`

function started(pace: number) {
  return house.start(['--port', '0', '--home', house.home, '--log-level', 'error'], {
    DRAGOMAN_OFFLINE_PACE: String(pace),
    NODE_OPTIONS: PRELOAD,
  })
}

describe('an uncaught error', () => {
  it.each([
    ['an unhandled rejection', 'SIGUSR2', 'The rejection of a test.'],
    ['an uncaught exception', 'SIGHUP', 'The exception of a test.'],
  ] as const)('shuts the server down, and its run continues: %s', async (_which, signal, message) => {
    const first = started(50)
    const answer = await postJson(`${await first.ready}/jobs/chat`, eveRequest('你好'))
    const path = `/v1/runs/${String(answer.headers.get('x-run-id'))}/events`
    await reading(answer).until('text-delta')

    first.signal(signal)
    const { code, stderr } = await first.ended

    expect(code).toBe(1)
    const lines = stderr
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { level: number; err?: { message: string } })
    expect(lines).toMatchObject([{ level: 60, err: { message } }])
    const whole = await ask(await started(0).ready, { path })
    const frames = framesOf(Buffer.from(whole.text)) as { type: string }[]
    expect(frames.filter(({ type }) => type === 'run.resumed')).toHaveLength(1)
    expect(frames.at(-1)).toMatchObject({ type: 'run.finished' })
  })
})
