import { describe, expect, it } from 'vitest'

import { createErrorOutput } from './error-output.ts'
import { call, openFeature } from './mcp.fixture.ts'
import { rawServer } from './raw-server.fixture.ts'

describe('the error output of an MCP program', () => {
  it('is kept in its last lines, without stack frames, colors and secrets', () => {
    const output = createErrorOutput(['correct horse'])
    output.add('x\n'.repeat(10_000))
    output.add('\u001b[31mFATAL\u001b[0m: correct ')
    output.add('horse and API_KEY=abcdefgh\r\n\n    at main (/srv/a.mjs:1:1)\nNode.js v24\n')

    expect(output.lastWords).toBe(
      `Its error output: ${'x | '.repeat(8)}FATAL: [key] and API_KEY=[key] | Node.js v24.`,
    )
  })

  it('says why the program does not start, to the owner and to no model', async () => {
    const warnings: string[] = []
    const acme = rawServer({ before: `console.error('FATAL: ACME_REGION is required'); process.exit(1)` })
    await using at = openFeature({ acme }, { warn: (problem) => void warnings.push(problem) })

    const { notes } = await at.offered()

    expect(notes).toEqual(['The tools of the MCP server acme cannot be used now: it closed the connection.'])
    const words = 'Its error output: FATAL: ACME_REGION is required. It has ended with the exit code 1.'
    expect(await at.conditions()).toEqual([`MCP: acme has no tools now: it closed the connection. ${words}`])
    expect(warnings).toEqual([`MCP: acme: it closed the connection. ${words}`])
  })

  it('says why the program ended in a call', async () => {
    const warnings: string[] = []
    const acme = rawServer({
      list: `{ tools: [tool('go')] }`,
      call: `(console.error('Error: out of paper'), process.exit(1))`,
    })
    await using at = openFeature({ acme }, { warn: (problem) => void warnings.push(problem) })

    await expect((await at.tool('acme_go')).execute({}, call())).rejects.toThrow('it closed the connection')

    expect(warnings).toEqual([
      'MCP: acme: it closed the connection. Its error output: Error: out of paper. It has ended with the exit code 1.',
    ])
  })

  it.each([
    ['process.exit(3)', 'It has ended with the exit code 3.'],
    [`process.kill(process.pid, 'SIGKILL')`, 'It was ended by SIGKILL.'],
  ])('says how a silent program has ended: %s', async (before, sentence) => {
    await using at = openFeature({ acme: rawServer({ before }) })

    expect(await at.conditions()).toEqual([
      `MCP: acme has no tools now: it closed the connection. ${sentence}`,
    ])
  })

  it('does not stop a program that writes much', async () => {
    const list = `{ tools: [tool('t')] }`
    await using at = openFeature({
      acme: rawServer({ list, before: `console.error('x'.repeat(1_000_000))` }),
    })

    expect((await at.offered()).tools).toHaveLength(1)
  })
})
