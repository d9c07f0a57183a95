import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { openBrowser } from '../../../../test/e2e/browser.ts'
import { run } from '../../../../test/support/process.ts'
import { chatProvider, type ChatProvider } from './chat-provider.ts'
import { answerQuestion, builtPage, serverFolder, waitForText, WAIT } from './page-rig.ts'
import { serverFlags, servePage } from './serve-guide.ts'

const FOLDER = builtPage('ECRITIS_FOLDER', ['out'])
const GUIDE = 'ecritis-agent.md'

describe.skipIf(FOLDER === undefined)('the page of EcritisAgent, unchanged', () => {
  let browser: Browser
  let page: Page
  let provider: ChatProvider
  let own: Awaited<ReturnType<typeof serverFolder>>
  let server: ReturnType<typeof run>
  let site: Awaited<ReturnType<typeof servePage>>
  let api: string

  const startServer = async (port: string, more: readonly string[] = []): Promise<void> => {
    const words = (await serverFlags(GUIDE)).map((word) => (word === '~/project' ? own.root : word))
    const home = ['--home', join(own.folder, 'home'), '--private-host', new URL(provider.url).host]
    server = run([...words, '--port', port, ...home, ...more], { PATH: own.bin })
    api = await server.ready
  }
  /** The page as its user has set it up: with a model of their own. */
  const openPage = async (): Promise<void> => {
    page = await browser.newPage()
    const model = {
      id: 'm',
      type: 'custom',
      name: 'Mock',
      isEnabled: true,
      isDefault: true,
      modelName: 'mock',
    }
    const models = {
      models: [{ ...model, apiUrl: `${provider.url}/v1`, apiKey: 'sk-own' }],
      defaultModelId: 'm',
    }
    await page.addInitScript((text) => {
      localStorage.setItem('docaimaster_model_configs', text)
    }, JSON.stringify(models))
    await page.goto(site.url)
  }
  const switchOn = async (): Promise<void> => page.getByLabel('Toggle Agent mode').click()
  const chosenFolder = () => page.evaluate(() => localStorage.getItem('aidocmaster.agentWorkDir'))
  const dialog = () => page.getByPlaceholder('/path/to/project')
  const choose = async (path?: string): Promise<void> => {
    await switchOn()
    await expect.poll(() => dialog().inputValue(), WAIT).toBe(own.root)
    if (path !== undefined) await dialog().fill(path)
    await page.getByRole('button', { name: 'Save' }).click()
  }
  const send = async (text: string): Promise<void> => {
    await page.getByLabel('Chat message input').fill(text)
    await page.getByLabel('Send message').click()
  }
  const shows = (text: string | RegExp) => waitForText(page, text)
  const isIdle = async (): Promise<void> => {
    await page.getByLabel('Stop AI response').waitFor({ state: 'detached', ...WAIT })
  }
  const answer = (approved: boolean) => answerQuestion(api, approved)

  /** An answer that has come half of the way; the next one will be whole. */
  const begin = async (): Promise<void> => {
    provider.play([{ text: 'Half of it' }, { hold: true }], [{ text: 'Whole.' }])
    await choose()
    await send('go')
    await shows('Half of it')
  }

  beforeAll(async () => void (browser = await openBrowser()))
  afterAll(() => browser?.close())
  beforeEach(async () => {
    provider = await chatProvider()
    own = await serverFolder()
    await mkdir(join(own.root, 'src'))
    await startServer('0')
    site = await servePage(GUIDE, { folder: FOLDER ?? '', home: own.folder, api: Number(new URL(api).port) })
    await openPage()
  })
  afterEach(async () => {
    await page.close()
    site.stop()
    await server.stop()
    await provider[Symbol.asyncDispose]()
    await own.remove()
  })

  it('offers the served root, and takes it', async () => {
    await choose()
    await shows('project')
    await expect.poll(chosenFolder).toBe(own.root)
  })

  it('refuses a folder that is not served, lists those that are, and finds one by its name', async () => {
    await choose('/usr')
    await shows(`Served: ${own.root}.`)

    await dialog().fill('src')
    await page.getByRole('button', { name: 'Save' }).click()

    await expect.poll(chosenFolder).toBe(join(own.root, 'src'))
  })

  it('streams an answer', async () => {
    provider.play([{ text: 'Hello from the model.' }])
    await choose()
    await send('hello')

    await shows('Hello from the model.')
    await isIdle()
  })

  it('shows a read file with its path', async () => {
    await writeFile(join(own.root, 'a.txt'), 'alpha beta')
    provider.play([{ call: 'read_file', input: { path: 'a.txt' } }], [{ text: 'It says alpha.' }])
    await choose()
    await send('read it')

    await shows('It says alpha.')
    await page.getByRole('button', { name: /^read a\.txt Completed/ }).waitFor(WAIT)
  })

  it('shows a card for a written and for an edited file, which it downloads', async () => {
    const write = { call: 'write_file', input: { path: 'notes.txt', content: 'one' } }
    const edit = { call: 'edit_file', input: { path: 'notes.txt', old_string: 'one', new_string: 'two' } }
    provider.play([write], [edit], [{ text: 'Both done.' }])
    await choose()
    await send('write it')

    await shows('Both done.')
    const downloads = page.getByRole('button', { name: 'Download' })
    await expect.poll(() => downloads.count(), WAIT).toBe(2)
    const [download] = await Promise.all([page.waitForEvent('download'), downloads.last().click()])
    expect(download.suggestedFilename()).toBe('notes.txt')
    expect(await readFile(await download.path(), 'utf8')).toBe('two')
  })

  it.each([true, false])('asks about a command, and goes on after the answer: %s', async (approved) => {
    const command = 'echo ran > ran.txt; echo finished'
    provider.play([{ call: 'execute_command', input: { command } }], [{ text: 'I am done.' }])
    await choose()
    await send('run it')
    await shows(/dragoman questions/)
    await answer(approved)

    await shows('I am done.')
    await page.getByRole('button', { name: /^bash echo ran > ran\.txt/ }).waitFor(WAIT)
    expect(await readFile(join(own.root, 'ran.txt'), 'utf8').catch(() => 'never')).toBe(
      approved ? 'ran\n' : 'never',
    )
  })

  it('runs a command where the owner allows it', async () => {
    const port = new URL(api).port
    await server.stop()
    await startServer(port, ['--commands', 'allow'])
    provider.play(
      [{ call: 'execute_command', input: { command: 'echo finished' } }],
      [{ text: 'I am done.' }],
    )
    await choose()
    await send('run it')

    await shows('I am done.')
    expect(JSON.stringify(provider.requests[1]?.messages.at(-1))).toContain('finished')
  })

  it('keeps the conversation over turns', async () => {
    provider.play(
      [{ call: 'list_directory', input: { path: '.' } }],
      [{ text: 'First answer.' }],
      [{ text: 'Second answer.' }],
    )
    await choose()
    await send('one')
    await shows('First answer.')
    await isIdle()
    await send('two')

    await shows('Second answer.')
    const roles = provider.requests[2]?.messages.map(({ role }) => role)
    expect(roles).toEqual(['system', 'user', 'assistant', 'tool', 'assistant', 'user'])
  })

  it('shows a tool that fails', async () => {
    provider.play([{ call: 'read_file', input: { path: 'none.txt' } }], [{ text: 'It is not there.' }])
    await choose()
    await send('read it')

    await shows('It is not there.')
    await page.getByRole('button', { name: /^read none\.txt Error/ }).waitFor(WAIT)
  })

  it.each([
    ['refused by its provider', [401], /⚠ .*key/i],
    ['cut off', [[{ call: 'read_file', input: { path: 'a' } }], 500], /⚠ /],
  ] as const)('shows why an answer failed that was %s', async (_what, turns, words) => {
    provider.play(...turns)
    await choose()
    await send('hello')

    await shows(words)
    await isIdle()
  })

  it('stops an answer, and asks again', async () => {
    await begin()
    await page.getByLabel('Stop AI response').click()

    await expect.poll(() => provider.aborts, WAIT).toBe(1)
    await isIdle()
    await shows('Half of it')
    await send('again')
    await shows('Whole.')
  })

  it('stops an answer when it is reloaded, and can ask again', async () => {
    await begin()
    await page.reload()

    await expect.poll(() => provider.aborts, WAIT).toBe(1)
    await switchOn()
    await send('again')
    await shows('Whole.')
  })

  it('shows what it had received if the server is killed, and asks again when it is back', async () => {
    await begin()
    const port = new URL(api).port
    server.kill()
    await server.ended

    await isIdle()
    await shows('Half of it')
    await startServer(port)
    await send('again')
    await shows('Whole.')
  })
})
