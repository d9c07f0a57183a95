import { brotliCompressSync } from 'node:zlib'

import { build } from 'vite'

/** Bytes as a page loads them. */
export function sizeOf(what: string, code: string): number {
  const size = brotliCompressSync(code).length
  process.stdout.write(`${what}: ${size} bytes (brotli)\n`)
  return size
}

/** What a page loads that uses these of the client's names. */
export async function built(names: string, entry: string): Promise<string> {
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
