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

async function startRun(server: ReturnType<typeof started>) {
  const answer = await postJson(`${await server.ready}/jobs/chat`, eveRequest('你好'))
  const body = reading(answer)
  await body.until('text-delta')
  return { body, path: `/v1/runs/${String(answer.headers.get('x-run-id'))}/events` }
}

function linesOf(stderr: string) {
  return stderr
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as object)
}

describe('an error that no code catches', () => {
  it('shuts the server down, and its run continues, if it is an exception', async () => {
    const first = started(50)
    const { path } = await startRun(first)

    first.signal('SIGHUP')
    const { code, stderr } = await first.ended

    expect(code).toBe(1)
    expect(linesOf(stderr)).toMatchObject([{ level: 60, err: { message: 'The exception of a test.' } }])
    const whole = await ask(await started(0).ready, { path })
    const frames = framesOf(Buffer.from(whole.text)) as { type: string }[]
    expect(frames.filter(({ type }) => type === 'run.resumed')).toHaveLength(1)
    expect(frames.at(-1)).toMatchObject({ type: 'run.finished' })
  })

  it('is logged, and the server goes on, if it is a rejection', async () => {
    const server = started(50)
    const { body } = await startRun(server)

    server.signal('SIGUSR2')

    expect((await body.whole()).toString()).toContain('"finish"')
    const { code, stderr } = await server.stop()
    expect(code).toBe(0)
    expect(linesOf(stderr)).toMatchObject([{ level: 50, err: { message: 'The rejection of a test.' } }])
  })
})
