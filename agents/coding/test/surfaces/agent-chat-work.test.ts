import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { hasSandbox } from '../../src/commands/commands.fixture.ts'
import { framesOf, reading } from '../../../../test/support/event-stream.ts'
import {
  calls,
  linesOf,
  says,
  scriptedModel,
  step,
  type ScriptedModel,
} from '../../../../test/support/scripted-model.ts'
import { openServer, type TestServer } from '../../../../test/support/server.ts'
import { coding } from '../../src/index.ts'

// Without a sandbox a person is asked before each command, and nobody is there to be asked.
const isSandboxed = await hasSandbox()

type Frame = Record<string, unknown>

/** The agent and the tools that we have, at work in folders of the test's own. */
describe.each(['pi', 'default'])('the agent chat, at work with %s,', (engine) => {
  let folder: string
  let work: string
  let model: ScriptedModel
  let server: TestServer
  beforeEach(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'dragoman-test-')))
    work = join(folder, 'work')
    const agent = join(folder, 'home', 'agents', 'coding')
    await Promise.all([mkdir(join(work, 'one'), { recursive: true }), mkdir(agent, { recursive: true })])
    await mkdir(join(work, 'two'))
    await writeFile(join(agent, 'agent.json'), JSON.stringify({ id: 'coding', engine }))
    model = scriptedModel()
    server = await openServer({
      ...model,
      agents: [coding],
      home: join(folder, 'home'),
      flags: ['--root', work],
      env: { PATH: process.env['PATH'] ?? '' },
    })
  })
  afterEach(async () => {
    await server[Symbol.asyncDispose]()
    await rm(folder, { recursive: true })
  })
  const ask = (message: string, at = 'one'): Promise<Response> =>
    fetch(`${server.url}/api/agent-chat`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ message, workDir: join(work, at) }),
    })
  const framesFor = async (message: string, at?: string): Promise<Frame[]> =>
    framesOf(await reading(await ask(message, at)).whole())
  const resultsIn = (frames: readonly Frame[]): Frame[] => frames.filter(({ type }) => type === 'tool_result')

  it.skipIf(!isSandboxed)('reads, changes and runs, and reports each result', async () => {
    await writeFile(join(work, 'one', 'a.txt'), 'alpha\nbeta\n')
    model.play([
      step(calls('c1', 'read_file', { path: 'a.txt' })),
      step(calls('c2', 'edit_file', { path: 'a.txt', old_string: 'beta', new_string: '软件' })),
      step(calls('c3', 'execute_command', { command: 'echo to-you; cat a.txt; exit 3' })),
      step(calls('c4', 'read_file', { path: '../../secret' })),
      step(calls('c5', 'list_directory', { path: '.' })),
      step(says('Done.')),
    ])
    const frames = await framesFor('change it')
    const results = resultsIn(frames)

    expect(await readFile(join(work, 'one', 'a.txt'), 'utf8')).toBe('alpha\n软件\n')
    expect(results.map(({ toolName, isError }) => [toolName, isError])).toEqual([
      ['read_file', false],
      ['edit_file', false],
      ['execute_command', false],
      ['read_file', true],
      ['list_directory', false],
    ])
    expect(results[1]?.['content']).toContain('+软件')
    expect(results[2]?.['content']).toMatch(/to-you[\s\S]*软件/)
    expect(frames.at(-1)).toMatchObject({ type: 'complete' })
  })

  it.skipIf(!isSandboxed)('streams the output of a long command', async () => {
    await writeFile(join(work, 'one', 'go'), '')
    const command = 'echo first; while [ -e go ]; do sleep 0.02; done; echo last'
    model.play([step(calls('c1', 'execute_command', { command })), step(says('Done.'))])
    const read = reading(await ask('run it'))

    await read.until('tool_update')
    expect(read.soFar().toString()).not.toContain('tool_result')
    await rm(join(work, 'one', 'go'))
    const [result] = resultsIn(framesOf(await read.whole()))

    expect(result?.['content']).toMatch(/first[\s\S]*last/)
  })

  it('separates concurrent runs in several folders', async () => {
    const at = (prompt: Parameters<typeof linesOf>[0]) =>
      linesOf(prompt)[0]?.includes('one') ? 'one' : 'two'
    const writes = (prompt: Parameters<typeof linesOf>[0]) =>
      linesOf(prompt).at(-1)?.startsWith('tool:')
        ? step(says(`Written in ${at(prompt)}.`))
        : step(calls(`c-${at(prompt)}`, 'write_file', { path: 'same.txt', content: at(prompt) }))
    model.play(Array.from({ length: 4 }, () => writes))

    const [one, two] = await Promise.all(['one', 'two'].map((name) => framesFor(`work in ${name}`, name)))

    for (const [name, frames] of Object.entries({ one, two })) {
      expect(await readFile(join(work, name, 'same.txt'), 'utf8')).toBe(name)
      expect(JSON.stringify(frames)).toContain(`Written in ${name}.`)
    }
  })
})
