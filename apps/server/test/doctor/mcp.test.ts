import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { beforeEach, describe, expect, it } from 'vitest'

import { everything } from '../../../../packages/dragoman/src/mcp/mcp.fixture.ts'
import { httpNotes } from '../../../../packages/dragoman/src/mcp/http-server.fixture.ts'
import { rawServer } from '../../../../packages/dragoman/src/mcp/raw-server.fixture.ts'
import type { Json } from '../../../../packages/dragoman/src/index.ts'
import { runDoctor } from '../support/run-doctor.ts'
import { createTempDir } from '../../../../test/support/create-temp-dir.ts'

describe('dragoman doctor with MCP servers', () => {
  let home: string
  beforeEach(async () => {
    home = await createTempDir()
  })

  /** What it says where config.yaml is this: YAML may be written as JSON. */
  const examined = async (config: Json) => {
    await writeFile(join(home, 'config.yaml'), JSON.stringify(config))
    return runDoctor(['--home', home, '--port', '0'])
  }

  it('lists which servers answer, why others do not, and which tools are left out', async () => {
    await using served = await httpNotes()

    const odd = rawServer({ list: `{ tools: [tool('a'), { name: 'b', inputSchema: 'x' }] }` })
    const mcp = { everything, odd, gone: { command: '/nowhere/server' }, notes: { url: served.url } }
    const { code, about } = await examined({ mcp })

    expect(code).toBe(0)
    expect(about('MCP')).toEqual([
      expect.stringMatching(/^✓ MCP: everything is connected: \d+ tools\.$/),
      expect.stringMatching(/^! MCP: everything: the tool "[\w-]+" is left out: execution\.taskSupport is /),
      '✓ MCP: odd is connected: 1 tool.',
      '! MCP: odd: the tool "b" is left out: inputSchema is "x" and no object.',
      '! MCP: gone has no tools now: its command cannot be started (ENOENT).',
      '! MCP: notes has no tools now: it refuses who asks (HTTP 401).',
    ])
  })

  it('reports nothing without servers, and names an invalid field of a server', async () => {
    expect((await examined({})).about('MCP')).toEqual([])

    const { code, lines } = await examined({ mcp: { notes: { url: 'https://x.example', timeout: 'soon' } } })

    expect(code).toBe(1)
    expect(lines).toContain(
      '✗ config.yaml: mcp.notes.timeout must be a whole number of seconds from 1 to 3600.',
    )
  })
})
