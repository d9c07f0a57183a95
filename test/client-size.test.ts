import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'

import { build } from 'vite'
import { expect, it } from 'vitest'

const ENTRY = join(import.meta.dirname, '../src/client/index.ts')
const MAX_BYTES = 4000

it('a page that uses all of the client loads at most 4,000 bytes for it', async () => {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      minify: true,
      // Nothing is left out as unused.
      rolldownOptions: { input: ENTRY, preserveEntrySignatures: 'strict' },
    },
  })
  const chunks = [built].flat().flatMap((each) => ('output' in each ? each.output : []))
  const code = chunks.map((chunk) => ('code' in chunk ? chunk.code : '')).join('')
  const size = brotliCompressSync(code).length

  process.stdout.write(`dragoman/client: ${size} bytes (brotli), of ${MAX_BYTES}\n`)
  for (const name of ['resumableFetch', 'followRun', 'messages']) expect(code).toContain(name)
  expect(size).toBeLessThanOrEqual(MAX_BYTES)
})
