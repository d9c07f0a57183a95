import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

import { describe, expect, it } from 'vitest'

import { createTempDir } from '../support/create-temp-dir.ts'
import { openEndingProxy } from '../support/proxies.ts'
import { says, scriptedModel, step } from '../support/scripted-model.ts'
import { consoleBrowser, openConsole, sendMessage } from './console.ts'

const WELCOME = `import { jsx } from 'react/jsx-runtime'
export default () => jsx('p', { children: 'A view of the agent' })`
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)

describe('the console behind a proxy', () => {
  const browser = consoleBrowser()

  it.each([
    ['/ai', 'removes'],
    ['/console', 'removes'],
    ['/team/console/assets', 'removes'],
    ['/team/ai', 'keeps'],
  ])('works below the path %s, which the proxy %s', async (below, way) => {
    const view = join(await createTempDir(), 'welcome.js')
    await writeFile(view, WELCOME)
    await using server = await openConsole({
      isOnDisk: true,
      models: scriptedModel([step(says('Here:\n```js\nlet a = 1\n```'))]).models,
      flags: ['--require-token', ...(way === 'keeps' ? ['--base-path', below] : [])],
      users: ['ada'],
      capability: { views: [{ kind: 'welcome', module: pathToFileURL(view) }] },
    })
    await using proxy = await openEndingProxy(server.url, below, way === 'keeps')
    await using chat = await browser.open(`${proxy.url}/`)
    const { page } = chat
    const lost: string[] = []
    page.on('response', (response) => {
      const { pathname } = new URL(response.url())
      if (!pathname.startsWith(`${below}/`) || response.status() === 404) lost.push(pathname)
    })

    await page.getByLabel('Token').fill(server.token('ada'))
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByTestId('chat-input').waitFor()
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: PICTURE })
    await sendMessage(page, 'Show it.')
    await page.locator('pre code span').first().waitFor()
    await expect.poll(() => new URL(page.url()).pathname).toMatch(`${below}/console/threads/conv_`)

    await page.reload()
    const image = page.locator('.bubble img').first()
    await expect.poll(() => image.evaluate((each) => 'naturalWidth' in each && each.naturalWidth)).toBe(1)
    await page.getByRole('link', { name: 'Inbox' }).click()
    await page.waitForURL(`${proxy.url}/console/inbox`)
    await page.goto(`${proxy.url}/console/account`)
    await page.getByRole('heading', { name: 'Account' }).waitFor()
    const links = await page
      .locator('a[href]')
      .evaluateAll((all) => all.map((each) => ('href' in each ? String(each.href) : '')))

    expect(links.filter((href) => !href.startsWith(`${proxy.url}/`))).toEqual([])
    expect(lost).toEqual([])
  })
})
