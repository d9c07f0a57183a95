import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { run, type Ended } from './support/process.ts'
import { postJson } from './support/http.ts'

const PROGRAM = join(import.meta.dirname, 'support/dice-server.ts')
/** Words of the bundled agents, and of a protocol that is a package of its own. */
const FOREIGN = new RegExp(
  String.raw`\b(?:jobs?|resumes|postings?|coding|workspaces?|fortune|vibe-?life|life|assistant agent|` +
    String.raw`workflows|eve|envelopes?|agent-events|agent-chat|dify|ag-ui|copilotkit)\b`,
  'i',
)

describe('a server with only a custom agent', () => {
  let home: string
  let url: string
  let server: ReturnType<typeof run>
  let ended: Ended
  const pages = new Map<string, string>()
  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'dragoman-test-'))
    const env = { PATH: process.env['PATH'] ?? '', DRAGOMAN_OFFLINE_PACE: '0' }
    server = run(['--port', '0', '--home', home, '--log-level', 'debug'], env, ':', PROGRAM)
    url = await server.ready
    for (const path of ['/', '/docs', '/openapi.json', '/health', '/dice/status']) {
      const response = await fetch(`${url}${path}`)
      pages.set(path, `${response.status} ${await response.text()}`)
    }
    const body = { message: 'Roll a die with 6 sides' }
    const answer = await postJson(`${url}/dice/chat`, body)
    pages.set('/dice/chat', `${answer.status} ${await answer.text()}`)
    ended = await server.stop()
  })
  afterAll(async () => {
    server.kill()
    await rm(home, { recursive: true, force: true })
  })

  it('answers, and names the agent on its pages', () => {
    expect([...pages].filter(([, text]) => !text.startsWith('200 '))).toEqual([])
    expect(pages.get('/')).toContain('/dice/chat')
    expect(pages.get('/dice/chat')).toContain('run.finished')
  })

  it('names no bundled agent', () => {
    const found = [...pages].flatMap(([path, text]) => {
      const [word] = FOREIGN.exec(text) ?? []
      return word === undefined ? [] : [`${path}: ${word}`]
    })

    expect(found).toEqual([])
    expect(FOREIGN.exec(ended.stderr)?.[0]).toBeUndefined()
  })

  it('has no route of a bundled agent', () => {
    const [, json = ''] = /^200 (.*)$/s.exec(pages.get('/openapi.json') ?? '') ?? []
    const { paths } = JSON.parse(json) as { paths: Record<string, unknown> }
    const first = new Set(Object.keys(paths).map((path) => path.split('/')[1]))

    expect([...first].toSorted((a = '', b = '') => a.localeCompare(b))).toEqual([
      '',
      'api',
      'auth',
      'dice',
      'docs',
      'health',
      'metrics',
      'openapi.json',
      'ready',
      'v1',
    ])
    expect(Object.keys(paths).filter((path) => path.startsWith('/api/'))).toEqual(['/api/v1/guest/claim'])
  })

  it('has no table of a bundled agent', () => {
    const db = new DatabaseSync(join(home, 'dragoman.db'), { readOnly: true })
    const names = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all()
    db.close()

    expect(
      names.map(({ name }) => String(name)).filter((name) => /^(?:jobs?|resume|tailored|life)/.test(name)),
    ).toEqual([])
  })

  it('loads no module of another package', () => {
    const [, json = '[]'] = /^loaded (.*)$/m.exec(ended.stdout) ?? []
    const loaded = JSON.parse(json) as string[]

    expect(loaded.length).toBeGreaterThan(100)
    expect(
      loaded.filter((file) =>
        /\/(?:agents\/[^/]+|apps\/[^/]+|packages\/(?!dragoman)[^/]+)\/src\//.test(file),
      ),
    ).toEqual([])
  })
})
