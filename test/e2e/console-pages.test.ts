import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

import { describe, expect, it } from 'vitest'

import { consoleFolder } from '../../packages/console/src/index.ts'
import { gate } from '../support/gate.ts'
import { says, scriptedModel, step, type Script } from '../support/scripted-model.ts'
import type { TestServer } from '../support/server.ts'
import { accessibilityFaults, consoleBrowser, expectMessages, openConsole, sendMessage } from './console.ts'

const MAX_SCRIPT_BYTES = 200_000

describe('the console', () => {
  const browser = consoleBrowser()
  const openScripted = (script: Script): Promise<TestServer> =>
    openConsole({ models: scriptedModel(script).models })

  it('loads at most 200 kB of script for a chat', async () => {
    await using server = await openScripted([step(says('Hello.'))])
    await using chat = await browser.open('about:blank')
    const scripts = new Set<string>()
    chat.page.on('response', (response) => {
      const { pathname } = new URL(response.url())
      if (pathname.endsWith('.js')) scripts.add(pathname.replace('/console/', ''))
    })
    await chat.page.goto(server.url)

    await sendMessage(chat.page, 'Hello')
    await expectMessages(chat.page, ['Hello', 'Hello.'])

    const bytes = [...scripts].map(
      (path) => gzipSync(readFileSync(join(consoleFolder, path)), { level: 9 }).length,
    )
    expect(bytes.length).toBeGreaterThan(1)
    expect(bytes.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(MAX_SCRIPT_BYTES)
  })

  it('asks no other server for anything', async () => {
    await using server = await openScripted([
      step(says('![picture](https://evil.example/x.png) [link](https://evil.example)')),
    ])
    await using chat = await browser.open('about:blank')
    const hosts = new Set<string>()
    chat.page.on('request', (request) => hosts.add(new URL(request.url()).host))
    await chat.page.goto(server.url)

    await sendMessage(chat.page, 'Show me')
    await chat.page.getByRole('link', { name: 'picture' }).waitFor()

    expect([...hosts]).toEqual([new URL(server.url).host])
  })

  it.each(['light', 'dark'] as const)('has no fault that axe finds, in %s', async (colorScheme) => {
    await using server = await openScripted([
      step(says('Some *text*, `code`, and a list:\n\n- one\n- two\n\n```js\nlet x = 1\n```\n')),
    ])
    await using chat = await browser.open(server.url, { colorScheme })
    const { page } = chat
    const faults = async (): Promise<string[]> => accessibilityFaults(page)
    expect(await faults()).toEqual([])

    await sendMessage(page, 'Hello')
    await page.getByText('two').waitFor()
    await page.getByRole('button', { name: 'Answer again' }).waitFor()
    expect(await faults()).toEqual([])
    await page.getByRole('link', { name: 'Inspect the run' }).click()
    await page.getByText('Log entries').waitFor()
    expect(await faults()).toEqual([])
    await page.getByRole('link', { name: 'Inbox' }).click()
    await page.getByText('Nothing waits for you.').waitFor()
    expect(await faults()).toEqual([])
    await page.keyboard.press('Control+k')
    await page.getByPlaceholder('Search conversations and pages').waitFor()
    expect(await faults()).toEqual([])
  })

  it('speaks Chinese to a Chinese browser, and the chosen language from then on', async () => {
    await using server = await openScripted([step(says('你好。'))])
    await using chat = await browser.open(server.url, { locale: 'zh-CN' })
    const { page } = chat
    await page.getByPlaceholder('输入消息').waitFor()
    expect(await page.locator('html').getAttribute('lang')).toBe('zh')

    await page.getByRole('button', { name: '设置' }).click()
    await page.getByRole('menuitemradio', { name: 'English' }).click()
    await page.getByPlaceholder('Write a message').waitFor()
    await page.reload()

    await page.getByPlaceholder('Write a message').waitFor()
  })

  it('finds, renames, archives and deletes a conversation', async () => {
    await using server = await openScripted([step(says('The mountains are blue.'))])
    await using chat = await browser.open(server.url)
    const { page } = chat
    await sendMessage(page, 'Describe the view')
    await expectMessages(page, ['Describe the view', 'The mountains are blue.'])
    await page.goto(server.url)
    await page.getByTestId('chat-input').waitFor()
    await page.keyboard.press('Control+k')
    await page.getByPlaceholder('Search conversations and pages').fill('mountains')
    await page.getByRole('option', { name: /mountains/ }).click()
    await expectMessages(page, ['Describe the view', 'The mountains are blue.'])

    await page.getByRole('button', { name: 'Actions for Describe the view' }).last().click()
    await page.getByRole('menuitem', { name: 'Rename' }).click()
    await page.getByLabel('Title').fill('The view')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'The view' }).waitFor()
    await page.getByRole('button', { name: 'Actions for The view' }).last().click()
    await page.getByRole('menuitem', { name: 'Archive' }).click()
    await page.getByText('No conversations yet.').waitFor()
    await page.getByRole('button', { name: 'Show archived conversations' }).click()
    await page.getByRole('link', { name: /The view/ }).waitFor()
    await page.getByRole('button', { name: 'Actions for The view' }).last().click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()

    await page.getByTestId('chat-input').waitFor()
    await expect.poll(() => page.getByRole('link', { name: /The view/ }).count()).toBe(0)
  })

  it('shows a run in several protocols, and resumes a line that was cut', async () => {
    const rest = gate()
    await using server = await openScripted([step(says('One, '), [rest], says('two.'))])
    await using chat = await browser.open(`${server.url}/console/inspect`)
    const { page } = chat
    await page.getByRole('textbox', { name: 'Message', exact: true }).fill('Count')
    await page.getByRole('button', { name: 'Start' }).click()
    const pane = page.getByRole('region', { name: 'ui-message-stream' })
    await pane.getByText('"delta":"One, "').waitFor()

    await pane.getByRole('button', { name: 'Cut the line' }).click()
    await pane.getByText(/Cut after/).waitFor()
    rest.open()
    await page.getByRole('region', { name: 'native' }).getByText('run.finished').waitFor()
    await pane.getByRole('button', { name: 'Resume' }).click()

    await pane.getByText('"delta":"two."').waitFor()
    expect(await pane.getByText('"delta":"One, "').count()).toBe(1)
    await page.getByRole('checkbox', { name: 'ag-ui' }).check()
    await page.getByRole('region', { name: 'ag-ui' }).getByText('RUN_FINISHED').waitFor()
  })

  it('signs in with a token where the server needs one, and out again', async () => {
    await using server = await openConsole({
      models: scriptedModel([step(says('Hello.'))]).models,
      flags: ['--require-token'],
      users: ['ada'],
    })
    await using chat = await browser.open(server.url)
    const { page } = chat
    await page.getByLabel('Token').fill('dgm_wrong')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('This token is not known here').waitFor()

    await page.getByLabel('Token').fill(server.token('ada'))
    await page.getByRole('button', { name: 'Sign in' }).click()
    await sendMessage(page, 'Hello')
    await expectMessages(page, ['Hello', 'Hello.'])
    expect(await page.evaluate('document.cookie')).toBe('')
    await page.reload()
    await expectMessages(page, ['Hello', 'Hello.'])
    await page.getByRole('button', { name: 'Settings' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()

    await page.getByLabel('Token').waitFor()
  })
})
