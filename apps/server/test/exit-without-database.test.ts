import { describe, expect, it } from 'vitest'

import { createTestDatabase, hasServer } from '../../../packages/postgres/src/postgres.fixture.ts'
import { openTcpProxy } from '../../../packages/postgres/src/tcp-proxy.fixture.ts'
import { createTempDir } from '../../../test/support/create-temp-dir.ts'
import { run, SQLITE_BIN } from '../../../test/support/process.ts'

describe.runIf(hasServer)('a node whose database does not answer', () => {
  it('exits on SIGTERM before it would be killed', async () => {
    const database = await createTestDatabase()
    const proxy = await openTcpProxy(database.url)
    const env = { PATH: process.env['PATH'] ?? '', DATABASE_URL: proxy.url }
    const node = run(['--port', '0', '--home', await createTempDir()], env, ':', SQLITE_BIN)
    try {
      await node.ready
      proxy.block(true)

      expect(await node.stop()).toMatchObject({ code: 1 })
    } finally {
      node.kill()
      await proxy.close()
      await database.drop()
    }
  })
})
