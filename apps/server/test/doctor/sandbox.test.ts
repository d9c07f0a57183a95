import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import {
  hasSandbox,
  noSandboxPath,
  SYSTEM_PATH,
} from '../../../../agents/coding/src/commands/commands.fixture.ts'
import { servedFolder } from '../../../../agents/coding/src/coding.fixture.ts'
import { client } from '../../../../test/support/http.ts'
import { runDoctor } from '../support/run-doctor.ts'
import { scriptedModel } from '../../../../test/support/scripted-model.ts'
import { openServer } from '../../../../test/support/server.ts'
import { bundledAgents } from '../../src/main.ts'

const isSandboxed = await hasSandbox()

/** What the doctor and the status page say of the same machine. */
async function findingsOf(path: string, ...roots: string[]) {
  const { outside } = await servedFolder()
  const home = join(outside, 'home')
  const flags = roots.flatMap((root) => ['--root', root])
  const { about, code } = await runDoctor(['--home', home, '--port', '0', ...flags], { PATH: path })
  await using server = await openServer({
    models: scriptedModel().models,
    agents: bundledAgents,
    flags,
    env: { PATH: path },
  })
  const { body } = await client(server).json('GET', '/coding/status')
  return { code, roots: about('Roots'), sandbox: about('Sandbox'), status: body }
}

describe('the doctor and the status page about the coding agent', () => {
  it('explain how to serve a folder if none is served', async () => {
    const { code, roots, status } = await findingsOf(SYSTEM_PATH)

    expect(code).toBe(0)
    expect(roots).toEqual([expect.stringMatching(/^! Roots: The coding agent is off: .* --root DIR/)])
    expect(status).toMatchObject({ ready: false })
  })

  it('list the served folders, and name the missing ones', async () => {
    const { root, outside } = await servedFolder()

    const { roots } = await findingsOf(SYSTEM_PATH, [root, join(outside, 'none')].join(','))

    expect(roots).toEqual([
      `✓ Roots: ${root}, ${join(outside, 'none')}`,
      `! Roots: ${join(outside, 'none')} is served, but is no folder.`,
    ])
  })

  it('report that commands run without a sandbox, and why', async () => {
    const { root } = await servedFolder()

    const { code, sandbox, status } = await findingsOf(await noSandboxPath(), root)

    const note = 'Commands run without a sandbox, for '
    expect(code).toBe(0)
    expect(sandbox).toEqual([expect.stringContaining(`! Sandbox: ${note}`)])
    expect(sandbox).toEqual([expect.stringContaining('Each command is asked about before it runs.')])
    expect(status).toMatchObject({ ready: true })
    expect(status['notes']).toContainEqual(expect.stringContaining(note))
  })

  it.skipIf(!isSandboxed)('report that commands run in a sandbox', async () => {
    const { root } = await servedFolder()

    const { sandbox, status } = await findingsOf(SYSTEM_PATH, root)

    const note = 'Commands run in a sandbox ('
    expect(sandbox).toEqual([expect.stringContaining(`✓ Sandbox: ${note}`)])
    expect(status).toMatchObject({ ready: true, notes: [expect.stringContaining(note)] })
  })
})
