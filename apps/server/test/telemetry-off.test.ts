import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expect, it } from 'vitest'

import { run } from '../../../test/support/process.ts'

const SOURCES = join(import.meta.dirname, '../src/bin.ts')
const PRELOAD = `--import=${join(import.meta.dirname, '../../../test/support/print-loaded-modules.ts')}`

it('loads no OpenTelemetry module by default', async () => {
  const home = await mkdtemp(join(tmpdir(), 'dragoman-test-'))
  try {
    const env = { PATH: process.env['PATH'] ?? '', NODE_OPTIONS: PRELOAD }
    const server = run(['--port', '0', '--home', home], env, ':', SOURCES)
    await server.ready
    const { stdout } = await server.stop()
    const [, json = '[]'] = /^loaded (.*)$/m.exec(stdout) ?? []
    const loaded = JSON.parse(json) as string[]

    expect(loaded.filter((url) => url.endsWith('/packages/telemetry/src/index.ts'))).toHaveLength(1)
    expect(loaded.filter((url) => url.includes('@opentelemetry') || url.endsWith('/otel.ts'))).toEqual([])
  } finally {
    await rm(home, { recursive: true, force: true })
  }
})
