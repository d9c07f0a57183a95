import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

import { chromium, type BrowserContext, type Page } from 'playwright-core'

import type { Json } from '../../../../packages/dragoman/src/index.ts'
import { run } from '../../../../test/support/process.ts'
import { talkingProvider, type TalkingProvider } from './talking-provider.ts'

/** The built extension (`bun run build` writes it to `dist`), if this run has it. */
export const wallEFolder = process.env['WALL_E_FOLDER'] && resolve(process.env['WALL_E_FOLDER'])

/** Chrome makes the id of an unpacked extension of its path. The extension is its own token, too. */
function extensionId(folder: string): string {
  const digits = createHash('sha256').update(folder).digest('hex').slice(0, 32)
  return Array.from(digits, (digit) => String.fromCodePoint(97 + Number.parseInt(digit, 16))).join('')
}

type Extension = AsyncDisposable & {
  readonly context: BrowserContext
  readonly page: Page
  /** Opens its side panel as a page. */
  open(route?: string): Promise<Page>
}

/** A browser with the extension. Only an installed Chromium can load one. */
async function openExtension(folder: string): Promise<Extension> {
  const profile = await mkdtemp(join(tmpdir(), 'dragoman-wall-e-'))
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: process.env['CHROME_PATH'] ?? '/usr/bin/chromium',
    headless: false,
    viewport: { width: 900, height: 1000 },
    args: [
      '--headless=new',
      '--no-sandbox',
      '--disable-gpu',
      `--disable-extensions-except=${folder}`,
      `--load-extension=${folder}`,
    ],
  })
  const address = `chrome-extension://${extensionId(folder)}/index.html`
  const open = async (route = ''): Promise<Page> => {
    const page = await context.newPage()
    await page.goto(`${address}${route}`)
    return page
  }
  return {
    context,
    page: await open(),
    open,
    async [Symbol.asyncDispose]() {
      await context.close()
      await rm(profile, { recursive: true, force: true })
    },
  }
}

/** Connects it to a server, as its user does: it looks at its usual address first. */
async function connect(page: Page, url: string): Promise<void> {
  await page.getByRole('button', { name: 'Change Server' }).click({ timeout: 20_000 })
  await page.getByRole('button', { name: 'Get Started' }).click()
  await page.locator('#serverUrl').fill(url)
  await page.getByRole('button', { name: 'Test' }).click()
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('button', { name: 'Start Using' }).click()
  await page.getByPlaceholder('Ask Eve anything...').waitFor()
}

export async function say(page: Page, words: string): Promise<void> {
  await page.getByPlaceholder('Ask Eve anything...').fill(words)
  await page.keyboard.press('Enter')
}

export type WallE = Extension & {
  readonly provider: TalkingProvider
  readonly url: string
  /** What the API answers to the extension's own token. */
  json(method: string, path: string, body?: Json): Promise<Record<string, unknown>>
  /** A file of the API. */
  file(path: string): Promise<Buffer>
  /** Kills the server with SIGKILL, and starts it again at its address. */
  killAndRestart(): Promise<void>
  /** Revokes the extension's token. */
  revoke(): Promise<void>
}

/** The extension, let in with the two commands of its guide, and connected to a server of its own. */
export async function openWallE(folder: string): Promise<WallE> {
  const id = extensionId(folder)
  const home = await mkdtemp(join(tmpdir(), 'dragoman-home-'))
  const provider = await talkingProvider()
  const env = { PATH: process.env['PATH'] ?? '', OPENAI_API_KEY: 'key', OPENAI_BASE_URL: provider.url }
  const token = async (...words: readonly string[]): Promise<void> => {
    const { code, stderr } = await run(['token', ...words, '--home', home], env).ended
    if (code !== 0) throw new Error(stderr)
  }
  await token('create', '--name', 'wall-e', '--value', id)
  const admission = ['--allow-origin', `chrome-extension://${id}`]
  const serve = (port: string) =>
    run(['serve', '--port', port, '--home', home, '--model', 'openai/mock', ...admission], env)
  let server = serve('0')
  const url = await server.ready
  const extension = await openExtension(folder)
  await connect(extension.page, url)
  return {
    ...extension,
    provider,
    url,
    async json(method, path, body) {
      const response = await fetch(`${url}${path}`, {
        method,
        headers: { 'content-type': 'application/json', 'x-eve-token': id },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      return (await response.json()) as Record<string, unknown>
    },
    async file(path) {
      const response = await fetch(`${url}${path}`, { headers: { 'x-eve-token': id } })
      return Buffer.from(await response.arrayBuffer())
    },
    revoke: () => token('revoke', 'wall-e'),
    async killAndRestart() {
      server.kill()
      await server.ended
      server = serve(new URL(url).port)
      await server.ready
    },
    async [Symbol.asyncDispose]() {
      await extension[Symbol.asyncDispose]()
      server.kill()
      await server.ended
      await provider[Symbol.asyncDispose]()
      await rm(home, { recursive: true, force: true })
    },
  }
}
