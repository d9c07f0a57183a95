import { describe, expect, it } from 'vitest'

import { createTestDatabase, hasServer } from '../../../packages/postgres/src/postgres.fixture.ts'
import { openTcpProxy } from '../../../packages/postgres/src/tcp-proxy.fixture.ts'
import { createTempDir } from '../../../test/support/create-temp-dir.ts'
import { isFull } from '../../../test/support/is-full.ts'
import { run, SQLITE_BIN } from '../../../test/support/process.ts'

type Process = ReturnType<typeof run>

function start(home: string, database: string, more: readonly string[] = []): Process {
  const args = ['--port', '0', '--home', home, '--model', 'offline', ...more]
  return run(args, { PATH: process.env['PATH'] ?? '', DATABASE_URL: database }, ':', SQLITE_BIN)
}

/** The line of a process with this message, once it is there. */
function line(node: Process, message: string): Promise<Record<string, unknown>> {
  return expect
    .poll(() => linesOf(node).find(({ msg }) => msg === message), { timeout: 20_000 })
    .toBeDefined()
    .then(() => linesOf(node).find(({ msg }) => msg === message) ?? {})
}

function linesOf({ output }: Process): readonly Record<string, unknown>[] {
  return output.stderr.split('\n').flatMap((text) => (text.startsWith('{') ? [JSON.parse(text) as Line] : []))
}
type Line = Record<string, unknown>

async function explain(runId: string, database: string): Promise<string> {
  const env = { PATH: process.env['PATH'] ?? '', DATABASE_URL: database }
  return (await run(['explain', runId], env, ':', SQLITE_BIN).ended).stdout
}

async function ask(url: string): Promise<Response> {
  const headers = { 'content-type': 'application/json' }
  return fetch(`${url}/assistant/chat`, { method: 'POST', headers, body: '{"message":"Tell me a story."}' })
}

describe.runIf(hasServer && isFull)('what the process log says to an operator', () => {
  it('names both nodes when a run goes on after a crash', async () => {
    const database = await createTestDatabase()
    const nodes = [
      start(await createTempDir(), database.url, ['--offline-pace', '1']),
      start(await createTempDir(), database.url, ['--offline-pace', '1']),
    ] as const
    try {
      const [a] = await Promise.all(nodes.map(({ ready }) => ready))
      const answer = await ask(String(a))
      await answer.body?.getReader().read()
      nodes[0].kill()

      expect(await line(nodes[1], 'run taken over')).toMatchObject({
        level: 30,
        user: expect.stringMatching(/^[0-9a-f]{16}$/),
        thread: expect.stringContaining('conv_'),
        run: answer.headers.get('x-run-id'),
        agent: 'assistant',
        model: expect.stringContaining('offline'),
        from: expect.stringMatching(new RegExp(`/${nodes[0].pid}$`)),
        node: expect.stringMatching(new RegExp(`/${nodes[1].pid}$`)),
        because: 'crash',
        attempt: 1,
      })
      const explanation = await explain(String(answer.headers.get('x-run-id')), database.url)
      const [first, second] = nodes.map(({ pid }) => pid)
      expect(explanation).toMatch(new RegExp(`Node \\S+/${first} began it\\.`))
      expect(explanation).toMatch(
        new RegExp(`Node \\S+/${second} took the run over, as node \\S+/${first} no longer`),
      )
    } finally {
      for (const node of nodes) node.kill()
      await Promise.all(nodes.map(({ ended }) => ended))
      await database.drop()
    }
  }, 60_000)

  it('has one line when the database goes away, and one when it is back', async () => {
    const database = await createTestDatabase()
    const proxy = await openTcpProxy(database.url)
    const node = start(await createTempDir(), proxy.url)
    try {
      await node.ready
      proxy.refuse(true)
      proxy.cut('both')
      await line(node, 'database away')
      proxy.refuse(false)

      expect(await line(node, 'database back')).toMatchObject({ ms: expect.any(Number) })
      const about = linesOf(node).filter(({ msg }) => /database|unavailable/.test(String(msg)))
      expect(about.map(({ msg }) => msg)).toEqual(['database away', 'database back'])
    } finally {
      node.kill()
      await node.ended
      await proxy.close()
      await database.drop()
    }
  }, 60_000)
})
