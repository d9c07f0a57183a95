import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'

import { openDragoman, readConfig } from '../../src/index.ts'
import { builtExample } from './example.ts'

describe('the page of the life agent, in a browser', () => {
  const example = builtExample('life')

  /** The page, served as Vite does, before a server without any key. */
  async function opened() {
    const home = await mkdtemp(join(tmpdir(), 'dragoman-test-'))
    const flags = ['--port', '0', '--home', home, '--log-level', 'silent']
    const dragoman = await openDragoman(readConfig(flags, { DRAGOMAN_OFFLINE_PACE: '0' }))
    const site = await example.serve('/api/', await dragoman.listen())
    const page = await example.newPage()
    const warned: string[] = []
    page.on('console', (message) => {
      if (['warning', 'error'].includes(message.type())) warned.push(message.text())
    })
    page.on('pageerror', (error) => void warned.push(error.message))
    await page.goto(`${site.url}#evening`)
    return {
      page,
      warned,
      async [Symbol.asyncDispose]() {
        await page.close()
        await site.close()
        await dragoman.close()
        await rm(home, { recursive: true, force: true })
      },
    }
  }

  async function say(page: Page, words: string): Promise<void> {
    await page.getByLabel('Message').fill(words)
    await page.getByRole('button', { name: 'Send' }).click()
  }

  /** From right to left in time, as they are written. */
  const pillars = (page: Page): Promise<string[]> =>
    page.locator('.pillars > div').evaluateAll((columns) =>
      columns.map((column) => {
        const names = Array.from<{ textContent: string }>(column.querySelectorAll('b'))
        return names.map(({ textContent }) => textContent).join('')
      }),
    )

  it('greets, asks by a form, shows the chart, remembers, and has all of it after a reload', async () => {
    await using chat = await opened()
    const { page } = chat
    await page.locator('.greeting').waitFor()

    await say(page, '我想看看我的八字')
    await page.getByLabel('出生日期').fill('1990-05-15')
    await page.getByLabel('出生时间').fill('14:30')
    await page.getByLabel('性别').selectOption({ label: '男' })
    await page.getByRole('button', { name: 'Done' }).click()
    await page.locator('.chart').waitFor()

    expect(await pillars(page)).toEqual(['癸未', '庚辰', '辛巳', '庚午'])
    await page.getByRole('button', { name: 'Send' }).waitFor()
    await say(page, '记住我喜欢爬山')
    await page.locator('.remembered').waitFor()
    expect(await page.locator('.remembered').innerText()).toContain('我喜欢爬山')
    await page.getByRole('button', { name: 'Send' }).waitFor()
    const said = await page.locator('main').innerText()

    await page.reload()
    await expect.poll(() => page.locator('main').innerText()).toBe(said)
    expect(await pillars(page)).toEqual(['癸未', '庚辰', '辛巳', '庚午'])
    await page.locator('.greeting').waitFor()
    expect(chat.warned).toEqual([])
  })
})
