import { spawn } from 'node:child_process'
import { createReadStream } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join, normalize } from 'node:path'

const GUIDES = join(import.meta.dirname, '../../../../docs/guide/from')

/** The code blocks of a guide, by language. */
async function blocksOf(guide: string, language: string): Promise<readonly string[]> {
  const text = await readFile(join(GUIDES, guide), 'utf8')
  return Array.from(
    text.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\``, 'gm')),
    ([, code]) => code ?? '',
  )
}

/** The words of the first command of a guide, after the program. */
export async function serverFlags(guide: string): Promise<readonly string[]> {
  const [commands = ''] = await blocksOf(guide, 'sh')
  const [, flags = ''] = /^npm start -- (.+)$/m.exec(commands) ?? []
  return flags.split(' ')
}

/** Runs the program of a guide that serves a page, in a folder, as written there. */
export async function servePage(
  guide: string,
  { folder, home, api }: { readonly folder: string; readonly home: string; readonly api: number },
) {
  const [program = ''] = await blocksOf(guide, 'js')
  const file = join(home, 'serve.mjs')
  await writeFile(file, program)
  // Its port is any free one.
  const child = spawn(process.execPath, [file, folder, '0', String(api)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => resolve(text.trim()))
    child.once('error', reject)
  })
  return { url, stop: () => void child.kill() }
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
}

/** Serves the built page of a folder on `localhost`, as the page's own development server does. */
export async function serveBuild(folder: string) {
  const server = createServer((request, response) => {
    const path = normalize((request.url ?? '/').replace(/\?.*/, ''))
    const file = join(folder, path === '/' ? 'index.html' : path)
    response.setHeader('content-type', TYPES[extname(file)] ?? 'text/plain')
    createReadStream(file)
      .on('error', () => response.writeHead(404).end())
      .pipe(response)
  })
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://localhost:${port}`,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
