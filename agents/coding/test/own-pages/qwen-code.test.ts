import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { openBrowser } from '../../../../test/e2e/browser.ts'
import { run } from '../../../../test/support/process.ts'
import { chatProvider, type ChatProvider } from './chat-provider.ts'
import { answerQuestion, builtPage, serverFolder, waitForText, WAIT } from './page-rig.ts'
import { serveBuild, serverFlags } from './serve-guide.ts'

const FOLDER = builtPage('QWEN_CODE_FOLDER', ['packages/web/dist', 'dist'])
const GUIDE = 'qwen-code.md'
/** Where the page looks for its server. */
const URL_OF_SERVER = 'http://127.0.0.1:3000'

describe.skipIf(FOLDER === undefined)('the page of qwen-code web, unchanged', () => {
  let browser: Browser
  let page: Page
  let provider: ChatProvider
  let own: Awaited<ReturnType<typeof serverFolder>>
  let server: ReturnType<typeof run>
  let site: Awaited<ReturnType<typeof serveBuild>>

  const startServer = async (more: readonly string[] = []): Promise<void> => {
    const origin = 'http://localhost:5173'
    const words = (await serverFlags(GUIDE)).map(
      (word) => ({ '~/project': own.root, [origin]: site.url })[word] ?? word,
    )
    server = run([...words, '--home', join(own.folder, 'home'), ...more], {
      PATH: own.bin,
      OPENAI_BASE_URL: `${provider.url}/v1`,
      OPENAI_API_KEY: 'sk-of-the-server',
      DRAGOMAN_MODEL: 'openai/mock',
    })
    await server.ready
  }
  const input = () => page.getByPlaceholder('输入消息...')
  const send = async (text: string): Promise<void> => {
    await input().fill(text)
    await page.getByRole('button', { name: '发送' }).click()
  }
  const shows = (text: string | RegExp) => waitForText(page, text)
  const cancel = async (): Promise<void> => page.getByRole('button', { name: '取消' }).click()
  const isIdle = async (): Promise<void> => expect.poll(() => input().isEnabled(), WAIT).toBe(true)
  const answer = (approved: boolean) => answerQuestion(URL_OF_SERVER, approved)
  const roles = (call: number) => provider.requests[call]?.messages.map(({ role }) => role)

  beforeAll(async () => {
    browser = await openBrowser()
  })
  afterAll(() => browser?.close())
  beforeEach(async () => {
    provider = await chatProvider()
    own = await serverFolder()
    site = await serveBuild(FOLDER ?? '')
    await startServer()
    page = await browser.newPage()
    await page.goto(site.url)
  })
  afterEach(async () => {
    await page.close()
    await site.close()
    await server.stop()
    await provider[Symbol.asyncDispose]()
    await own.remove()
  })

  it('streams an answer, and shows its session', async () => {
    provider.play([{ text: 'Hello from the model.' }])
    await send('hello')

    await shows('Hello from the model.')
    await shows(/^Session: conv_/)
    await isIdle()
  })

  it('has a memory', async () => {
    provider.play([{ text: 'Hello Ada.' }], [{ text: 'You are Ada.' }])
    await send('I am Ada.')
    await shows('Hello Ada.')
    await isIdle()
    await send('Who am I?')

    await shows('You are Ada.')
    expect(roles(1)).toEqual(['system', 'user', 'assistant', 'user'])
  })

  it('shows a tool with its arguments and its result', async () => {
    await writeFile(join(own.root, 'a.txt'), 'alpha beta')
    provider.play([{ call: 'read_file', input: { path: 'a.txt' } }], [{ text: 'It says alpha.' }])
    await send('read it')

    await shows('It says alpha.')
    await shows('调用工具: read_file')
    await page.getByRole('button', { name: '查看参数详情' }).click()
    await shows('"path": "a.txt"')
    await page.getByRole('button', { name: '查看执行结果' }).click()
    await shows(/"alpha beta/)
  })

  it('shows how many files a message refers to, and the model reads them', async () => {
    await writeFile(join(own.root, 'a.txt'), 'alpha beta')
    provider.play([{ text: 'It says alpha.' }])
    await send('what is in @a.txt')

    await shows('It says alpha.')
    await shows('引用了 1 个文件')
    expect(JSON.stringify(provider.requests[0])).toContain('alpha beta')
    expect(await page.getByText('⚠️ 错误').count()).toBe(0)
  })

  it('shows a tool that fails', async () => {
    provider.play([{ call: 'read_file', input: { path: 'none.txt' } }], [{ text: 'It is not there.' }])
    await send('read it')

    await shows('It is not there.')
    await shows('执行错误: read_file')
  })

  it.each([true, false])('asks about a command, and goes on after the answer: %s', async (approved) => {
    const command = 'echo ran > ran.txt'
    provider.play([{ call: 'execute_command', input: { command } }], [{ text: 'I am done.' }])
    await send('run it')
    await shows(/execute_command: This needs your answer.*dragoman questions/)
    await answer(approved)

    await shows('I am done.')
    expect(await readFile(join(own.root, 'ran.txt'), 'utf8').catch(() => 'never')).toBe(
      approved ? 'ran\n' : 'never',
    )
  })

  it('stops an answer and its commands, and asks again at once', async () => {
    await server.stop()
    await startServer(['--commands', 'allow'])
    const command = '/bin/sleep 3; echo survived > survived.txt'
    provider.play([{ call: 'execute_command', input: { command } }], [{ text: 'Again.' }])
    await send('run it')
    await shows('执行中: execute_command')
    await cancel()
    await send('again')

    await shows('Again.')
    await new Promise((resolve) => setTimeout(resolve, 3500))
    expect(await readFile(join(own.root, 'survived.txt'), 'utf8').catch(() => 'never')).toBe('never')
    expect(await page.getByText('⚠️ 错误').count()).toBe(0)
  })

  it('stops the model', async () => {
    provider.play([{ text: 'Half of it' }, { hold: true }])
    await send('go')
    await shows('Half of it')
    await cancel()

    await expect.poll(() => provider.aborts, WAIT).toBe(1)
    await isIdle()
  })

  it('shows why an answer failed', async () => {
    provider.play(401)
    await send('hello')

    await shows('⚠️ 错误')
    await shows(/key/)
    expect(await page.getByText('Unknown error').count()).toBe(0)
    await isIdle()
  })

  it('clears the view, and goes on in its session', async () => {
    provider.play([{ text: 'First.' }], [{ text: 'Second.' }])
    await send('one')
    await shows('First.')
    await isIdle()
    await page.getByRole('button', { name: '清空' }).click()
    await shows('还没有消息，开始对话吧！')
    await send('two')

    await shows('Second.')
    expect(roles(1)).toEqual(['system', 'user', 'assistant', 'user'])
  })

  it('may name a model by its id alone', async () => {
    // As a page that is set up with a model sends it.
    await page.route('**/api/chat/stream', async (route) => {
      const body = route.request().postDataJSON() as object
      await route.continue({ postData: JSON.stringify({ ...body, model: 'qwen3-coder-plus-2025-09-23' }) })
    })
    provider.play([{ text: 'Hello.' }])
    await send('hello')

    await shows('Hello.')
    await shows(/is not known here/)
  })

  it('stops an answer when it is reloaded, and begins again', async () => {
    provider.play([{ text: 'Half of it' }, { hold: true }], [{ text: 'Whole.' }])
    await send('go')
    await shows('Half of it')
    await page.reload()

    await expect.poll(() => provider.aborts, WAIT).toBe(1)
    await shows('还没有消息，开始对话吧！')
    await send('again')
    await shows('Whole.')
    expect(roles(1)).toEqual(['system', 'user'])
  })

  it('keeps its session if the server is killed, and what it was told is finished there', async () => {
    provider.play([{ text: 'Half of it' }, { hold: true }], [{ text: ' and the rest.' }], [{ text: 'Next.' }])
    await send('go')
    await shows('Half of it')
    server.kill()
    await server.ended

    await shows('⚠️ 错误')
    await shows('Half of it')
    await isIdle()
    await startServer()
    await expect.poll(() => provider.requests.length, WAIT).toBe(2)
    const latestRun = async () => (await fetch(`${URL_OF_SERVER}/v1/runs?limit=1`)).text()
    await expect.poll(latestRun, WAIT).toContain('"status":"finished"')
    await send('next')
    await shows('Next.')
    expect(JSON.stringify(provider.requests[2]?.messages)).toContain('and the rest.')
  })
})
