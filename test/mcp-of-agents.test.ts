import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import {
  createServer,
  defineAgent,
  readConfig,
  type Json,
  type McpServers,
} from '../packages/dragoman/src/index.ts'
import type { AgentModule, Server } from '../packages/dragoman/src/index.ts'
import { everything } from '../packages/dragoman/src/mcp/mcp.fixture.ts'
import { scriptedModel, toolCall } from '../packages/dragoman/src/testing/index.ts'
import { rawServer } from '../packages/dragoman/src/mcp/raw-server.fixture.ts'
import { httpNotes, type HttpNotes } from '../packages/dragoman/src/mcp/http-server.fixture.ts'
import { piEngine } from '../packages/pi/src/index.ts'
import { createTempDir } from './support/create-temp-dir.ts'
import { framesOf, reading } from './support/event-stream.ts'

const model = scriptedModel()

describe('the MCP servers of an agent', () => {
  let home: string
  let notes: HttpNotes
  let server: Server | undefined
  /** Answers without the network. */
  const ask = async (path: string, init?: RequestInit): Promise<Response> => {
    if (!server) throw new Error('No server is open.')
    return server.fetch(new Request(`http://127.0.0.1${path}`, init))
  }
  beforeEach(async () => {
    home = await createTempDir()
    notes = await httpNotes({ anybody: true })
  })
  afterEach(async () => {
    await server?.close()
    server = undefined
    await notes[Symbol.asyncDispose]()
  })

  const open = async (
    mcp: McpServers,
    file?: Json,
    { engine = 'default', ...more }: Partial<AgentModule> & { readonly engine?: string } = {},
  ) => {
    const dice = defineAgent({ id: 'dice', instructions: 'Roll dice.', tools: [], engine, model, mcp })
    if (file !== undefined) {
      await mkdir(join(home, 'agents/dice'), { recursive: true })
      await writeFile(join(home, 'agents/dice/agent.json'), JSON.stringify(file))
    }
    const config = readConfig(['--home', home, '--log-level', 'silent'], {})
    server = await createServer({ agents: [{ ...more, agent: dice }], engines: [piEngine()], config })
    return server
  }
  /** The events of a run until one of this type. */
  const run = async (message: string, end: string) => {
    const body = JSON.stringify({ message })
    const headers = { 'content-type': 'application/json' }
    const answer = reading(await ask('/dice/chat', { method: 'POST', headers, body }))
    const events = framesOf(await answer.until(`"type":"${end}"`))
    await answer.leave()
    return events
  }
  const status = async () => {
    return (await (await ask('/dice/agent/status')).json()) as { ready: boolean; notes: string[] }
  }
  const toolNames = () => model.requests.at(-1)?.tools?.map(({ name }) => name)

  it('are programs and addresses, and need no code but their description', async () => {
    await open({ everything, notes: { url: notes.url, tools: ['whoami'] } })
    model.play([[toolCall('everything_echo', { message: '你好' }), toolCall('notes_whoami', {})], 'Done.'])

    const events = await run('Who am I?', 'run.finished')

    const outputs = events.filter(({ type }) => type === 'tool.returned').map(({ text }) => text)
    expect(outputs.map(String).toSorted()).toEqual(['Echo: 你好', 'anybody'])
    expect(await status()).toMatchObject({
      notes: expect.arrayContaining(['MCP: notes is connected: 1 tool.']),
    })
  })

  it('may be added, changed and restricted by agent.json', async () => {
    const tools = { deny: ['more_hang'], ask: ['notes_*'] }
    await open(
      { notes: { url: 'http://127.0.0.1:9/gone' } },
      { mcp: { notes: { url: notes.url }, more: { url: notes.url } }, permissions: { tools } },
    )
    model.play([toolCall('notes_whoami', {}), 'Done.'])

    const events = await run('Who am I?', 'run.waiting')

    expect(events.find(({ type }) => type === 'tool.asked')).toMatchObject({ question: { kind: 'approval' } })
    expect(toolNames()).toEqual(expect.arrayContaining(['notes_hang', 'notes_whoami', 'more_whoami']))
    expect(toolNames()).not.toContain('more_hang')
  })

  it('are added to what the agent itself adds to a run', async () => {
    const more: Partial<AgentModule> = {
      toolsFor: async () => ({ tools: [], notes: ['It is Tuesday.'] }),
      condition: async () => ({ available: true, notes: ['The dice are fair.'] }),
    }
    await open({ notes: { url: notes.url } }, undefined, more)
    model.play(['Hello.'])

    await run('Hello', 'run.finished')

    expect(model.prompts.at(-1)?.[0]?.content).toContain('It is Tuesday.')
    expect(toolNames()).toContain('notes_whoami')
    expect((await status()).notes).toEqual(['The dice are fair.', 'MCP: notes is connected: 3 tools.'])
  })

  it.each(['default', 'pi'])('may change their tools while a run goes on (%s)', async (engine) => {
    const shelf = rawServer({
      before: `let names = ['change']
        const change = () => {
          names = ['change', 'extra']
          write({ method: 'notifications/tools/list_changed' })
          return {}
        }
        const remove = () => {
          names = ['change']
          write({ method: 'notifications/tools/list_changed' })
          return { content: [{ type: 'text', text: 'extra is gone' }] }
        }`,
      list: '{ tools: names.map((name) => tool(name)) }',
      call: `m.params.name === 'extra' ? remove() : change()`,
    })
    await open({ shelf }, undefined, { engine })
    const use = (name: string) => toolCall(`shelf_${name}`, {})
    model.play([use('change'), use('extra'), use('extra'), 'Done.'])

    const events = await run('Change.', 'run.finished')

    const outcomes = events.flatMap(({ type, text, failure }) =>
      type === 'tool.returned' ? [text] : type === 'tool.failed' ? [failure] : [],
    )
    expect(outcomes).toEqual([
      '',
      'extra is gone',
      expect.objectContaining({
        code: 'unknown-tool',
        message: 'The tool shelf_extra was removed while the run went on.',
      }),
    ])
    const names = model.requests.map(({ tools }) => tools?.map(({ name }) => name.replace('shelf_', '')))
    expect(names).toEqual([['change'], ['change', 'extra'], ['change'], ['change']])
  })

  it.each<[Json, Json | undefined, string]>([
    [{ notes: {} }, undefined, 'Agent "dice": mcp.notes must have either command'],
    [{ notes: { url: 'x' } }, undefined, 'Agent "dice": mcp.notes.url must be an address like'],
    [['x'], undefined, 'Agent "dice": mcp must be a group of servers, each by its name.'],
    [{}, { mcp: { notes: { comand: 'x' } } }, 'agents/dice/agent.json: mcp.notes must have either command'],
    [{}, { mcp: { notes: { command: 'x', timeot: 3 } } }, 'mcp.notes.timeot is not known: is timeout meant?'],
    [{}, { mcp: null }, 'mcp has no value: give it one, or leave it out.'],
  ])('are refused at the start if they are wrong: %j, %j', async (mcp, file, sentence) => {
    await expect(open(mcp as McpServers, file)).rejects.toThrow(sentence)
  })
})
