import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'

import { testServices } from '../agents/agent-services.fixture.ts'
import { defineAgent, defineTool, toolResult } from '../agents/index.ts'
import { applyAgentFiles, readAgentFiles } from './apply-agent-files.ts'
import type { AgentModule } from './agent-module.ts'

const tools = ['calculate', 'current_time', 'fetch_page'].map((name) =>
  defineTool({
    name,
    description: name,
    inputSchema: z.object({}),
    execute: async () => toolResult({ output: null, text: '' }),
  }),
)
const dice: AgentModule = {
  agent: defineAgent({ id: 'dice', instructions: 'Find work.', tools }),
}
const RESTRICTIONS = { permissions: { tools: { deny: ['current_time'], ask: ['calculate'] } } }

describe('applyAgentFiles', () => {
  let home: string
  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'dragoman-test-'))
  })
  afterEach(async () => {
    await chmod(join(home, 'agents'), 0o700).catch(() => undefined)
    await rm(home, { recursive: true })
  })

  const read = (env: Record<string, string> = {}, module: AgentModule = dice) => {
    const warnings: string[] = []
    const warn = (problem: string): void => void warnings.push(problem)
    const [agent] = applyAgentFiles([module], { ...testServices({ env, warn }), home, engines: ['default'] })
    return { agent, warnings }
  }
  const writeAt = async (place: string, content: string | Buffer): Promise<void> => {
    await mkdir(dirname(join(home, place)), { recursive: true })
    await writeFile(join(home, place), content)
  }
  const write = (id: string, content: string | Buffer) => writeAt(`agents/${id}/agent.json`, content)

  it('accepts missing files', () => {
    expect(read()).toMatchObject({ agent: { notUsed: [], problems: [] }, warnings: [] })
  })

  it('applies a file without a mistake', async () => {
    await write('dice', JSON.stringify({ $schema: 'x', ...RESTRICTIONS }))

    const { agent, warnings } = read()

    expect(agent?.agent.tools.map(({ name }) => name)).toEqual(['calculate', 'fetch_page'])
    expect(warnings).toEqual([])
  })

  it.each([
    [{ name: 5 }, 'name must be text.'],
    [{ engine: 'rocket' }, 'engine must be default.'],
    [{ id: 'oracle' }, 'id must be dice, as its folder is called.'],
    [
      { name: '${NOBODY}' },
      'name wants the variable NOBODY, which is not set. ${NOBODY:default} gives it a default.',
    ],
    [{ permissions: { tools: { deny: '*' } } }, 'permissions.tools.deny must be a list.'],
    [{ permissions: { tools: { deny: null } } }, 'permissions.tools.deny has no value'],
    [{ permissions: null }, 'permissions has no value'],
    [{ permision: {} }, 'permision is not known: is permissions meant?'],
    [{ model: { temperature: 9 } }, 'model.temperature must be at most 2.'],
    [
      { permissions: { tools: { deny: ['curent_time'] } } },
      'permissions.tools.deny has curent_time, which matches no tool of the agent: is current_time meant?',
    ],
    [{ permissions: { tools: { ask: ['Calculate'] } } }, 'is calculate meant?'],
    [{ permissions: { tools: { ask: ['fetch-page'] } } }, 'is fetch_page meant?'],
    [{ permissions: { tools: { deny: ['ftech_*'] } } }, 'is fetch_page meant?'],
  ])('refuses all for a file with %j', async (mistake, sentence) => {
    await write('dice', JSON.stringify({ ...RESTRICTIONS, ...mistake }))

    expect(() => read()).toThrow(sentence)
    expect(() => read()).toThrow('agents/dice/agent.json: ')
    expect(() => read()).not.toThrow(home)
    const { mistakes, modules } = readAgentFiles([dice], { ...testServices(), home, engines: ['default'] })
    expect(mistakes).toEqual([expect.stringContaining(sentence)])
    expect(modules).toHaveLength(1)
  })

  it.each([
    ['cut off', '{"permissions": {"tools": {"deny": ["current_time"]'],
    ['empty', ''],
    ['null', 'null'],
    ['a list', '[]'],
    ['given a field twice', '{"permissions": {"tools": {"deny": ["current_time"]}}, "permissions": {}}'],
    ['in UTF-16', Buffer.from(JSON.stringify(RESTRICTIONS), 'utf16le')],
    ['too large', JSON.stringify({ ...RESTRICTIONS, name: 'x'.repeat(300_000) })],
  ])('refuses a file that is %s', async (_what, content) => {
    await write('dice', content)

    expect(() => read()).toThrow('agents/dice/agent.json: ')
  })

  it.each([
    ['agents/dice/agent.yaml', 'rename it to agent.json'],
    ['agents/dice/Agent.json', 'rename it to agent.json'],
    ['agents/dice/agents.json', 'rename it to agent.json'],
    ['agents/Dice/agent.json', 'Is dice meant?'],
    ['agents/dics/agent.json', 'Is dice meant?'],
    ['agent/dice/agent.json', 'rename it to agents'],
    ['Agents/dice/agent.json', 'rename it to agents'],
  ])('refuses a file in a place that is not read: %s', async (place, remedy) => {
    await writeAt(place, JSON.stringify(RESTRICTIONS))

    expect(() => read()).toThrow(remedy)
  })

  it('refuses a link to nothing, and a folder', async () => {
    await mkdir(join(home, 'agents', 'dice'), { recursive: true })
    await symlink(join(home, 'none'), join(home, 'agents', 'dice', 'agent.json'))
    expect(() => read()).toThrow('agents/dice/agent.json: It is a link to nothing.')
    await rm(join(home, 'agents', 'dice', 'agent.json'))
    await mkdir(join(home, 'agents', 'dice', 'agent.json'))
    expect(() => read()).toThrow('agents/dice/agent.json: It is no file.')
  })

  it.skipIf(process.getuid?.() === 0)('refuses what may not be read', async () => {
    await write('dice', JSON.stringify(RESTRICTIONS))
    await chmod(join(home, 'agents', 'dice', 'agent.json'), 0)
    expect(() => read()).toThrow('agents/dice/agent.json: The file cannot be read (EACCES).')
    await chmod(join(home, 'agents'), 0)
    expect(() => read()).toThrow('agents/dice/agent.json: The file cannot be read (EACCES).')
  })

  it('accepts a byte order mark', async () => {
    await write('dice', `\uFEFF${JSON.stringify(RESTRICTIONS)}`)

    expect(read().agent?.agent.tools.map(({ name }) => name)).toEqual(['calculate', 'fetch_page'])
  })

  it('reports a pattern for tools that the agent has not', async () => {
    await write('dice', JSON.stringify({ permissions: { tools: { deny: ['email_*'] } } }))

    const { agent, warnings } = read()
    const { warnings: ofOpenAgent } = read({}, { ...dice, toolsFor: async () => ({ tools: [], notes: [] }) })

    expect(warnings).toEqual([
      'agents/dice/agent.json: permissions.tools.deny has email_*, which matches no tool of the agent.',
    ])
    expect(agent?.problems).toEqual(warnings)
    expect(ofOpenAgent).toEqual([
      expect.stringContaining('no tool of the agent itself. It counts for tools that are added to a run.'),
    ])
  })

  it('refuses the name of a tool that no run can have', async () => {
    await write('dice', JSON.stringify({ permissions: { tools: { deny: ['shell'] } } }))

    expect(read).toThrow(
      'agents/dice/agent.json: permissions.tools.deny has shell, which matches no tool of the agent. Correct it',
    )
    const { warnings } = read({}, { ...dice, toolsFor: async () => ({ tools: [], notes: [] }) })
    expect(warnings).toHaveLength(1)
  })

  it.each(['dice.json', 'dice.yaml', 'Dice.json', 'agent.json', 'dcie.json'])(
    'refuses the file %s next to the folders of agents',
    async (name) => {
      await mkdir(join(home, 'agents'), { recursive: true })
      await writeFile(join(home, 'agents', name), '{ "permissions": { "tools": { "deny": ["roll"] } } }')

      expect(read).toThrow(
        `agents/${name} is not read: the file of an agent is agents/ID/agent.json. Move it there.`,
      )
    },
  )

  it('reports a folder without an agent', async () => {
    await write('oracle', '{}')
    await mkdir(join(home, 'agents', 'die'))

    expect(read().warnings.toSorted()).toEqual([
      'agents/die is not used: there is no agent die, but dice.',
      'agents/oracle is not used: there is no agent oracle, but dice.',
    ])
  })
})
