import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { createTempDir } from '../../../test/support/create-temp-dir.ts'
import { run } from '../../../test/support/process.ts'

describe('dragoman config print', () => {
  it('prints values with their sources, and no secret', async () => {
    const home = await createTempDir()
    const config =
      'readers: 5\nmcp: { notes: { url: "https://a.example/?key=hunter2", headers: { A: "${SECRET}" } } }\n'
    await writeFile(join(home, 'config.yaml'), config)
    const env = { SECRET: 'hunter2', OPENAI_API_KEY: 'hunter2', DRAGOMAN_RATE_LIMIT: '7' }

    const { stdout, code } = await run(['config', '--home', home, '--port', '4'], env).ended
    const { stdout: json } = await run(['config', 'print', '--home', home, '--json'], env).ended

    expect(code).toBe(0)
    expect(stdout).toMatch(/^port +4 +--port$/m)
    expect(stdout).toMatch(/^rateLimit +7 +DRAGOMAN_RATE_LIMIT$/m)
    expect(stdout).toMatch(/^readers +5 +config\.yaml$/m)
    expect(stdout).toMatch(/^host +127\.0\.0\.1 +default$/m)
    expect(JSON.parse(json)).toContainEqual({ name: 'readers', value: 5, source: 'config.yaml' })
    expect(stdout + json).not.toContain('hunter2')
    expect(stdout).toMatch(/^mcp +\{"notes":/m)
  })
})
