import { join } from 'node:path'

import { expect, it } from 'vitest'

import { eventsOf, reading } from '../../../test/support/event-stream.ts'
import { postJson } from '../../../test/support/http.ts'
import { isFull } from '../../../test/support/is-full.ts'
import { SQLITE_BIN } from '../../../test/support/process.ts'
import { useProcesses } from '../../../test/support/use-processes.ts'

const processes = useProcesses()
/** Slow enough for a backup in the middle of an answer, on a busy machine too. */
const env = { PATH: process.env['PATH'] ?? '', DRAGOMAN_OFFLINE_PACE: '10' }
const question = {
  id: 'chat-1',
  messages: [{ id: 'm1', role: 'user', parts: [{ type: 'text', text: 'Hello' }] }],
}

it.runIf(isFull).each([
  [[], 'cursor-ahead'],
  [['--continue-runs'], 'cursor-unknown'],
])(
  'dragoman restore %j refuses cursors of what came after the backup',
  async (flags, code) => {
    const { home } = processes
    const file = join(home, 'backup.db')
    const command = (...args: readonly string[]) =>
      processes.start([...args, '--home', home], env, ':', SQLITE_BIN)
    const server = command('--port', '0')
    const first = await server.ready
    const body = reading(await postJson(`${first}/jobs/chat`, question))
    const early = lastId(await body.until('text-delta'))
    expect(await command('backup', file).ended).toMatchObject({ code: 0 })
    const [{ id: runId, lastSeq }] = await runsOf(first)
    let late = early
    // The run is ended with three entries where it does not go on.
    while (Number.parseInt(late, 10) <= lastSeq + 5) late = lastId(await body.more())
    server.kill()
    await server.ended

    expect(await command('restore', file, '--force', ...flags).ended).toMatchObject({ code: 0 })
    const url = await command('--port', '0').ready
    const read = (id?: string): Promise<Response> =>
      fetch(`${url}/v1/runs/${runId}/events`, id === undefined ? {} : { headers: { 'last-event-id': id } })
    const whole = await (await read()).text()

    expect(whole).toMatch(/run\.(finished|failed)/)
    expect(whole.endsWith(await (await read(early)).text())).toBe(true)
    const refused = await read(late)
    expect([refused.status, await refused.json()]).toMatchObject([409, { code }])
  },
  90_000,
)

async function runsOf(url: string) {
  const { runs } = (await (await fetch(`${url}/v1/runs`)).json()) as {
    runs: [{ id: string; lastSeq: number }]
  }
  return runs
}

function lastId(bytes: Buffer): string {
  return eventsOf(bytes).at(-1)?.id ?? ''
}
