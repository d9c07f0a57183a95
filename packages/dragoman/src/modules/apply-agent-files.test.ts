import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { defineAgent } from '../agents/index.ts'
import { applyAgentFiles } from './apply-agent-files.ts'

const dice = { agent: defineAgent({ id: 'dice', instructions: 'Find work.', tools: [] }) }

describe('applyAgentFiles', () => {
  let home: string
  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'dragoman-test-'))
  })
  afterEach(() => rm(home, { recursive: true }))

  const read = (env: Record<string, string> = {}) => {
    const warnings: string[] = []
    const warn = (problem: string): void => void warnings.push(problem)
    const [agent] = applyAgentFiles([dice], { home, env, engines: ['default'], warn })
    return { agent, warnings }
  }
  const write = async (id: string, text: string): Promise<void> => {
    await mkdir(join(home, 'agents', id), { recursive: true })
    await writeFile(join(home, 'agents', id, 'agent.json'), text)
  }

  it('accepts missing files', () => {
    expect(read()).toMatchObject({ agent: { notUsed: [], problems: [] }, warnings: [] })
  })

  it.each([
    ['{"name": 5}', 'name must be text.'],
    ['{"engine": "rocket"}', 'engine must be default.'],
    ['{"id": "oracle"}', 'id must be dice, as its folder is called.'],
    [
      '{"name": "${NOBODY}"}',
      'name wants the variable NOBODY, which is not set. ${NOBODY:default} gives it a default.',
    ],
    ['{"permissions": {"tools": {"deny": "*"}}}', 'permissions.tools.deny must be a list.'],
  ])('changes nothing for a file with %s', async (text, mistake) => {
    await write('dice', text)

    const { agent, warnings } = read()

    expect(warnings).toEqual([`agents/dice/agent.json: ${mistake}`])
    expect(agent?.problems).toEqual(warnings)
    expect(agent?.agent).toEqual(dice.agent)
  })

  it('reports a folder without an agent', async () => {
    await write('die', '{}')

    expect(read().warnings).toEqual(['agents/die is not used: there is no agent die, but dice.'])
  })
})
