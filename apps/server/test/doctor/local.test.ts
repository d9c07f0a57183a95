import { chmod, cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

import { LLMock } from '@copilotkit/aimock'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { runDoctor, serving } from '../support/run-doctor.ts'
import { run } from '../../../../test/support/process.ts'
import { scriptedModel } from '../../../../test/support/scripted-model.ts'
import { openServer } from '../../../../test/support/server.ts'
import { bundledAgents } from '../../src/main.ts'
import { createTempDir } from '../../../../test/support/create-temp-dir.ts'

const others = ['coding', 'assistant', 'life']
const BY_FLAG = 'DRAGOMAN_MODEL (or --model) says so for every agent.'

describe('dragoman doctor', () => {
  let home: string
  beforeEach(async () => {
    home = await createTempDir()
  })

  const here = (env: Record<string, string> = {}, ...args: string[]) =>
    runDoctor(['--home', home, '--port', '0', ...args], env)

  it('reports a machine that is ready for the first start, and creates no file', async () => {
    const { code, lines, about } = await here()

    expect(code).toBe(0)
    expect(lines[0]).toBe(`✓ Node ${process.versions.node}`)
    expect(about('Home')).toEqual([`✓ Home: ${home} is writable.`])
    expect(about('Database')).toEqual(['! Database: none yet. The first start creates it.'])
    expect(about('Models')).toEqual([
      expect.stringMatching(/^! Models: jobs gets offline\. .*ANTHROPIC_API_KEY/),
      ...others.map((id) => expect.stringContaining(`! Models: ${id} gets offline.`)),
    ])
    expect(about('Port')).toEqual(['✓ Port: any free one.'])
    expect(about('Roots')).toEqual([expect.stringMatching(/^! Roots: .* --root DIR/)])
    expect(about('Sandbox')).toEqual([expect.stringMatching(/^[✓!] Sandbox: Commands run /)])
    expect(await readdir(home)).toEqual([])
  })

  it('names each agent.json with a mistake, and continues', async () => {
    await mkdir(join(home, 'agents', 'jobs'), { recursive: true })
    await mkdir(join(home, 'agents', 'job'))
    await writeFile(join(home, 'agents', 'jobs', 'agent.json'), '{"model": {"thinking": "much"}}')

    const { code, about } = await here()

    expect(code).toBe(1)
    expect(about('Agents')).toEqual([
      '✗ Agents: agents/jobs/agent.json: model.thinking must be one of none, low, medium, high.',
      '! Agents: agents/job is not used: there is no agent job, but jobs, coding, assistant, life.',
    ])
    expect(about('Models')).toHaveLength(4)
  })

  it('names the mistake in config.yaml', async () => {
    await writeFile(join(home, 'config.yaml'), 'prot: 1')

    const { code, lines } = await here()

    expect(code).toBe(1)
    expect(lines).toContain(`✗ ${join(home, 'config.yaml')}: prot is not known: is port meant?`)
  })

  it('names unused fields of models.yaml', async () => {
    await writeFile(join(home, 'models.yaml'), 'tier_overrides: {}')

    const { code, about } = await here()

    expect(code).toBe(0)
    expect(about('Models')[0]).toBe('! Models: models.yaml: tier_overrides is not used.')
  })

  it('warns if other users of the machine can read the home', async () => {
    await rm(home, { recursive: true })
    expect((await here()).about('Home')).toEqual([
      `! Home: ${home} does not exist yet. The first start creates it.`,
    ])
    await mkdir(home)
    await chmod(home, 0o755)

    expect((await here()).about('Home')[1]).toContain('(mode 755). Run chmod 700')
    expect((await runDoctor(['--home', '/dev/null/home', '--port', '0'])).about('Home')[0]).toMatch(/^✗/)
  })

  describe('with a database', () => {
    let seed: string
    beforeAll(async () => {
      seed = await mkdtemp(join(tmpdir(), 'dragoman-test-'))
      const server = await openServer({
        models: scriptedModel().models,
        home: seed,
        needsSqlite: true,
        agents: bundledAgents,
      })
      await server[Symbol.asyncDispose]()
    })
    afterAll(() => rm(seed, { recursive: true }))
    beforeEach(() => cp(seed, home, { recursive: true }))
    const file = (): string => join(home, 'dragoman.db')

    it('reports an intact database of this version', async () => {
      expect((await here()).about('Database')).toEqual([
        expect.stringMatching(/^✓ Database: .*dragoman\.db \([\d.]+ MB\) is intact\.$/),
        '✓ Database: its tables are of this version.',
      ])
    })

    it('rejects a database that a newer version has changed', async () => {
      using newer = new DatabaseSync(file())
      newer.exec("INSERT INTO schema_migrations VALUES ('core-9-rockets', '2030-01-01')")

      expect((await here()).about('Database')[1]).toBe(
        '✗ Database: a newer version of dragoman has changed its tables (core-9-rockets), ' +
          'so use that version or restore an earlier backup.',
      )
    })

    it('names the migrations that the next start applies', async () => {
      using older = new DatabaseSync(file())
      const { name } = older.prepare('SELECT name FROM schema_migrations').get() as { name: string }
      older.prepare('DELETE FROM schema_migrations WHERE name = ?').run(name)

      expect((await here()).about('Database')[1]).toBe(
        `! Database: the next start updates its tables (${name}).`,
      )
    })

    it('rejects a file that is not a database', async () => {
      await writeFile(file(), 'no database at all, but longer than a header '.repeat(20))

      const { code, about } = await here()

      expect(code).toBe(1)
      expect(about('Database')).toEqual([`✗ Database: ${file()} cannot be used: file is not a database.`])
    })
  })

  describe('with --probe', () => {
    const provider = new LLMock({ port: 0 })
    beforeEach(async () => {
      provider.onMessage('Say OK.', { content: 'OK' })
      await provider.start()
    })
    afterEach(() => provider.stop())

    it('sends each model a request', async () => {
      const env = { OPENAI_BASE_URL: provider.url, OPENAI_API_KEY: 'sk-secret', DRAGOMAN_MODEL: 'openai:any' }

      const { code, lines, about } = await here(env, '--probe')

      expect(code).toBe(0)
      expect(about('Models')).toEqual([
        ...['jobs', ...others].map((id) => `✓ Models: ${id} gets openai:any. ${BY_FLAG}`),
        expect.stringMatching(/^✓ Models: openai:any answered after \d+ ms\.$/),
      ])
      expect(lines.join()).not.toContain('sk-secret')
    })

    it('names the fallback that answers', async () => {
      await using refusing = await serving((_request, response) => response.writeHead(401).end())
      await writeFile(join(home, 'models.yaml'), 'global_fallback: openai:any')
      const env = { ANTHROPIC_BASE_URL: refusing.url, OPENAI_BASE_URL: provider.url }

      const { code, about } = await here(env, '--probe')

      expect(code).toBe(0)
      expect(about('Models')[4]).toMatch(
        /^! Models: anthropic:\S+ does not answer\. Its fallback openai:any answered after \d+ ms\.$/,
      )
    })

    it('says why a model does not answer, and prints no key', async () => {
      await using server = await serving((request, response) => {
        response.writeHead(401, { 'content-type': 'application/json' })
        response.end(JSON.stringify({ error: { message: `Wrong key ${request.headers.authorization}` } }))
      })
      const env = { OPENAI_BASE_URL: server.url, OPENAI_API_KEY: 'sk-secret', DRAGOMAN_MODEL: 'openai:any' }

      const { code, lines, about } = await here(env, '--probe')

      expect(code).toBe(1)
      expect(about('Models')[4]).toMatch(/^✗ Models: .*key/)
      expect(lines.join()).not.toContain('sk-secret')
    })
  })

  it('names the program that uses the port', async () => {
    await using ours = await openServer({ models: scriptedModel().models, home })
    await using other = await serving((_request, response) => response.end('hello'))
    const portOf = async (url: string) =>
      (await runDoctor(['--home', home, '--port', new URL(url).port])).about('Port')[0]

    expect(await portOf(ours.url)).toMatch(/^✓ Port: dragoman [\d.]+ answers on/)
    expect(await portOf(other.url)).toMatch(/^✗ Port: another program listens on/)
  })
})

describe('dragoman doctor with an invalid command line', () => {
  it.each([
    [['doctor', 'chat.example'], 'doctor takes an address like https://chat.example, or none.'],
    [
      ['doctor', 'https://chat.example', '--probe'],
      'doctor with an address takes --token TOKEN and nothing else.',
    ],
  ])('rejects %j', async (args, sentence) => {
    const { code, stdout, stderr } = await run(args).ended

    expect({ code, stdout, stderr }).toEqual({ code: 2, stdout: '', stderr: `dragoman: ${sentence}\n` })
  })
})
