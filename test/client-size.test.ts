import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'

import { build } from 'vite'
import { expect, it } from 'vitest'

const CLIENT = join(import.meta.dirname, '../packages/client/src/index.ts')
const CODING_CLIENT = join(import.meta.dirname, '../agents/coding/src/client/index.ts')
const MAX_BYTES = 4096

it('a page that uses all of the client loads at most 4 KB for it', async () => {
  const code = await built('*', CLIENT)

  for (const name of ['resumableFetch', 'followRun', 'messages']) expect(code).toContain(name)
  expect(sizeOf('all of it', code)).toBeLessThanOrEqual(MAX_BYTES)
})

it.each([
  ['resumableFetch', CLIENT, 2500, 'user.joined'],
  ['followRun, messages', CLIENT, 2500, 'tool_use'],
  ['agentEvents, agentAnswers', CODING_CLIENT, 1000, 'user.joined'],
  ['envelopes, envelopeAnswers', CODING_CLIENT, 2000, 'user.joined'],
])(
  'a page that uses %s alone loads few bytes, and nothing of the rest',
  async (names, entry, most, other) => {
    const code = await built(`{ ${names} }`, entry)

    expect(code).not.toContain(other)
    expect(sizeOf(names, code)).toBeLessThanOrEqual(most)
  },
)

function sizeOf(what: string, code: string): number {
  const size = brotliCompressSync(code).length
  process.stdout.write(`@dragoman/client, ${what}: ${size} bytes (brotli)\n`)
  return size
}

/** What a page loads that uses these of the client's names. */
async function built(names: string, entry: string): Promise<string> {
  const page = '\0page'
  const made = await build({
    configFile: false,
    logLevel: 'error',
    plugins: [
      {
        name: 'page',
        resolveId: (id) => (id === page ? id : undefined),
        load: (id) => (id === page ? `export ${names} from ${JSON.stringify(entry)}` : undefined),
      },
    ],
    build: {
      write: false,
      minify: true,
      // What is exported is used.
      rolldownOptions: { input: page, preserveEntrySignatures: 'strict' },
    },
  })
  const chunks = [made].flat().flatMap((each) => ('output' in each ? each.output : []))
  return chunks.map((chunk) => ('code' in chunk ? chunk.code : '')).join('')
}
