import { globSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, request as askServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream'

import { build, type Plugin } from 'vite'

/** The folder of VibeLife's public repository. Its hooks are in the history of its files, `.claude/file-history`. */
export const VIBELIFE_FOLDER = process.env['VIBELIFE_FOLDER'] ?? ''

/** A generation of its hook `useVibeChat`: a file of its history, and the build of the AI SDK that it imports. */
export type Generation = { readonly name: string; readonly file: string; readonly sdk: 4 | 6 }

export const generations: readonly Generation[] = [
  { name: 'v6.0 on AI SDK 4', file: '59b52f30-*/443065c7afb2718e@v4', sdk: 4 },
  { name: 'v11 on AI SDK 4', file: '0ffb9f57-*/443065c7afb2718e@v3', sdk: 4 },
  { name: 'the one on AI SDK 6', file: '6d1d4d71-*/443065c7afb2718e@v2', sdk: 6 },
]

const ROOT = join(import.meta.dirname, '../../../..')
/** What its hooks import of the application: a page without an account. */
const STUBS: Readonly<Record<string, string>> = {
  '@/utils/storage': 'export const getAccessToken = () => undefined',
  '@/lib/api': `
    const call = (method) => async (path, body) => {
      const init = { method, headers: { 'content-type': 'application/json' }, body: body && JSON.stringify(body) }
      const response = await fetch('/api/v1' + path, init)
      if (!response.ok) throw new Error(String(response.status))
      return { data: await response.json() }
    }
    export const getTokens = () => ({})
    export const apiClient = { get: call('GET'), post: call('POST'), patch: call('PATCH'), delete: call('DELETE') }`,
}
const CONVERSATIONS = '5a591f76-*/a54676b67b16bb96@v1'

/** Builds the page around a hook, and serves it before a server, as its own Next.js does. */
export async function vibelifeSite(generation: Generation, target: string) {
  const root = await mkdtemp(join(tmpdir(), 'dragoman-page-'))
  const page = join(import.meta.dirname, 'vibelife-page.js')
  await writeFile(
    join(root, 'index.html'),
    `<!doctype html><body><script type="module" src="/@fs${page}"></script>`,
  )
  const outDir = join(root, 'dist')
  await build({
    root,
    logLevel: 'error',
    configFile: false,
    define: { 'process.env.NODE_ENV': '"production"' },
    plugins: [sources(generation, page)],
    build: { outDir, minify: false },
  })
  const site = createServer((request, response) => {
    const path = request.url ?? '/'
    if (path.startsWith('/api/')) return forward(request, response, target)
    const file = join(outDir, path.startsWith('/assets/') ? path : 'index.html')
    response.setHeader('content-type', file.endsWith('.js') ? 'text/javascript' : 'text/html; charset=utf-8')
    response.end(readFileSync(file))
  })
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(site.address() as AddressInfo).port}/`,
    async [Symbol.asyncDispose]() {
      site.closeAllConnections()
      await new Promise((resolve) => site.close(resolve))
      await rm(root, { recursive: true, force: true })
    },
  }
}

/** Passes a request on, and cuts its response where the server does. */
function forward(incoming: IncomingMessage, response: ServerResponse, target: string): void {
  const { method, headers, url = '' } = incoming
  const outgoing = askServer(`${target}${url}`, { method, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers)
    pipeline(answer, response, () => response.destroy())
  })
  outgoing.on('error', () => response.destroy())
  response.on('close', () => outgoing.destroy())
  incoming.pipe(outgoing)
}

/** Where the page's imports lie: the hooks in VibeLife's history, the AI SDK in our tests' builds. */
function sources({ file, sdk }: Generation, page: string): Plugin {
  const history = (pattern: string): string => {
    const [found] = globSync(join(VIBELIFE_FOLDER, '.claude/file-history', pattern))
    if (found === undefined) throw new Error(`There is no ${pattern} in ${VIBELIFE_FOLDER}.`)
    return found
  }
  const files: Readonly<Record<string, string>> = {
    'vibelife-hook': file,
    './useConversations': CONVERSATIONS,
  }
  return {
    name: 'vibelife',
    enforce: 'pre',
    async resolveId(id, importer) {
      if (id === `/@fs${page}`) return page
      if (Object.hasOwn(files, id)) return `${history(files[id] ?? '')}.ts`
      if (Object.hasOwn(STUBS, id)) return `vibelife-stub:${id}`
      const name = id === 'ai/react' && sdk === 4 ? 'ai-4-3-19/react' : id
      const isBare = /^[@a-z]/.test(name)
      const isOurs = importer === undefined || importer.startsWith(VIBELIFE_FOLDER)
      return isBare && isOurs
        ? ((await this.resolve(name, join(ROOT, 'package.json'), { skipSelf: true })) ?? null)
        : null
    },
    load(id) {
      if (id.startsWith(VIBELIFE_FOLDER) && id.endsWith('.ts')) return readFileSync(id.slice(0, -3), 'utf8')
      return STUBS[id.replace('vibelife-stub:', '')] ?? null
    },
  }
}
