import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { openBrowser } from '../../../../test/e2e/browser.ts'
import { useProcesses } from '../../../../test/support/use-processes.ts'
import { ask as httpAsk } from '../../../../test/support/wire.ts'

/** A checkout of https://github.com/meetsmore/use-ai whose `apps/example` is built. */
const FOLDER = process.env['USE_AI_FOLDER']

/** The files of its example, as its own server gives them. */
async function serveExample(folder: string): Promise<Server> {
  const files = new Map([
    ['/', ['index.html', 'text/html']],
    ['/dist/index.js', ['dist/index.js', 'text/javascript']],
  ])
  const site = createServer((request, response) => {
    const [name, type = ''] = files.get(request.url ?? '') ?? []
    if (name === undefined) return void response.writeHead(404).end()
    void readFile(join(folder, 'apps/example', name)).then((bytes) =>
      response.writeHead(200, { 'content-type': type }).end(bytes),
    )
  })
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  return site
}

const ask = async (page: Page, text: string): Promise<void> => {
  await page.getByTestId('chat-input').fill(text)
  await page.getByTestId('chat-send-button').click()
}
const answers = (page: Page): Promise<string[]> =>
  page.getByTestId('chat-message-assistant').allTextContents()

describe.skipIf(FOLDER === undefined)('the example of use-ai, unchanged', () => {
  const house = useProcesses()
  let site: Server
  let browser: Browser
  beforeAll(async () => {
    site = await serveExample(FOLDER ?? '')
  })
  afterAll(() => void site.close())

  /** Its page looks for its server at localhost:8081. */
  const open = async (pace: string) => {
    const origin = `http://localhost:${(site.address() as AddressInfo).port}`
    const start = (port: string) =>
      house.start(['--port', port, '--home', house.home, '--allow-origin', origin], {
        PATH: process.env['PATH'] ?? '',
        DRAGOMAN_OFFLINE_PACE: pace,
      })
    const server = start('0')
    const url = await server.ready
    const { port } = new URL(url)
    browser = await openBrowser([`--host-resolver-rules=MAP localhost:8081 127.0.0.1:${port}`])
    const page = await browser.newPage()
    const errors: string[] = []
    page.on('pageerror', ({ message }) => errors.push(message))
    await page.goto(origin)
    await page.getByTestId('ai-button').click()
    return {
      url,
      page,
      errors,
      server,
      restart: () => start(port),
      [Symbol.asyncDispose]: () => browser.close(),
    }
  }

  it('chats, and its page runs the tool that the model calls', async () => {
    await using client = await open('0')
    const { page } = client
    await ask(page, 'Add milk to my todo list')
    await page.getByText('Added todo: "milk"').first().waitFor()

    expect(await page.getByText('milk').count()).toBeGreaterThan(1)
    expect(client.errors).toEqual([])
  })

  it('continues the same answer after kill -9', async () => {
    await using client = await open('25')
    const { page, server } = client
    await ask(page, 'Who are you?')
    await page.getByText('I am dragoman').waitFor()
    server.kill()
    await server.ended
    await client.restart().ready

    await page.getByText('OPENAI_API_KEY').waitFor()
    // Until the answer has ended, the page shows it apart from its messages.
    await expect.poll(() => answers(page)).toHaveLength(1)
    await ask(page, 'What is 0.1 + 0.2?')
    await page.getByText('0.1 + 0.2 = 0.3').waitFor()
    expect(client.errors).toEqual([])
  })

  it('goes on after the answer that it has lost by a reload in mid-answer', async () => {
    await using client = await open('25')
    const { page } = client
    await ask(page, 'Who are you?')
    await page.getByText('I am dragoman').waitFor()
    await page.reload()
    await page.getByTestId('ai-button').click()
    expect(await answers(page)).toEqual([])
    await ask(page, 'What is 0.1 + 0.2?')
    await page.getByText('0.1 + 0.2 = 0.3').waitFor()

    await expect.poll(() => answers(page)).toHaveLength(1)
    const list = async (path: string) => (await httpAsk(client.url, { path })).json
    const { threads } = (await list('/v1/threads')) as { threads: { id: string }[] }
    const { messages } = (await list(`/v1/threads/${threads[0]?.id}/messages`)) as {
      messages: { role: string }[]
    }
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant'])
  })
})
