import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { expect, it } from 'vitest'

import { defineAgent } from '../packages/dragoman/src/index.ts'
import { testServer } from '../packages/dragoman/src/testing/index.ts'
import type { Document } from './support/api-document.ts'
import { apiTypes } from './support/api-types.ts'
import { createTempDir } from './support/create-temp-dir.ts'

const ROOT = join(import.meta.dirname, '..')

async function formatted(code: string): Promise<string> {
  const file = join(await createTempDir(), 'api-types.ts')
  await writeFile(file, code)
  await promisify(execFile)(join(ROOT, 'node_modules/.bin/oxfmt'), ['-c', join(ROOT, '.oxfmtrc.json'), file])
  return readFile(file, 'utf8')
}

it('the types of the client are those of /openapi.json', async () => {
  await using server = await testServer({
    agents: [defineAgent({ id: 'dice', instructions: '', tools: [] })],
  })
  const document = (await (await server.fetch('/openapi.json')).json()) as Document

  const code = await formatted(apiTypes(document))

  await expect(code).toMatchFileSnapshot(join(ROOT, 'packages/client/src/api-types.ts'))
})
