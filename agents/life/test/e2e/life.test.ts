import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'

import type { Models } from '../../../../packages/dragoman/src/index.ts'
import { createModels } from '../../../../packages/dragoman/src/models/index.ts'
import { cutLine } from '../../../../test/support/cut-line.ts'
import { gate } from '../../../../test/support/gate.ts'
import { calls, says, scriptedModel, step } from '../../../../test/support/scripted-model.ts'
import { openServer } from '../../../../test/support/server.ts'
import { builtExample } from '../../../../test/e2e/example.ts'
import { life } from '../../src/index.ts'
import { isFull } from '../../../../test/support/is-full.ts'

describe.runIf(isFull)('the page of the life agent, in a browser', () => {
  const example = builtExample('life')

  /** The page of a conversation, served as Vite does. */
  async function opened(models: Models = createModels({ env: {}, offlinePace: 0 }), name = 'evening') {
    const server = await openServer({ models, agents: [life] })
    const site = await example.serve('/api/', server.url)
    const line = await cutLine(site.url)
    const page = await example.newPage()
    const warned: string[] = []
    page.on('console', (message) => {
      if (['warning', 'error'].includes(message.type())) warned.push(message.text())
    })
    page.on('pageerror', (error) => void warned.push(error.message))
    await page.goto(`${line.url}/#${name}`)
    return {
      page,
      line,
      warned,
      async [Symbol.asyncDispose]() {
        await page.close()
        await line[Symbol.asyncDispose]()
        await site.close()
        await server[Symbol.asyncDispose]()
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
    const text = await page.locator('main').innerText()

    await page.reload()
    await expect.poll(() => page.locator('main').innerText()).toBe(text)
    expect(await pillars(page)).toEqual(['癸未', '庚辰', '辛巳', '庚午'])
    await page.locator('.greeting').waitFor()
    expect(chat.warned).toEqual([])
  })

  it('says in a sentence what it refuses of a form, and takes it when it is mended', async () => {
    await using chat = await opened()
    const { page } = chat
    await say(page, '我想看看我的八字')
    await page.getByLabel('出生日期').fill('1990-05-15')
    await page.getByLabel('出生地点').fill('Springfield')
    await page.getByLabel('性别').selectOption({ label: '男' })
    await page.getByRole('button', { name: 'Done' }).click()

    expect(await page.getByRole('alert').innerText()).toMatch(/^form\.birthPlace: "Springfield" is not clear/)
    expect(await page.getByLabel('出生日期').inputValue()).toBe('1990-05-15')
    await page.getByLabel('出生地点').fill('成都')
    await page.getByRole('button', { name: 'Done' }).click()
    await page.locator('.chart').waitFor()

    expect(await pillars(page)).toContain('庚辰')
    expect(await page.getByRole('alert').count()).toBe(0)
    expect(await page.locator('article.user').allInnerTexts()).toHaveLength(2)
    const text = await page.locator('main').innerText()
    await page.reload()
    await expect.poll(() => page.locator('main').innerText()).toBe(text)
  })

  it('goes on with an answer where its line was cut, and where it is loaded again', async () => {
    const [first, second] = [gate(), gate()]
    const insight = { title: '看见', content: '你其实早就知道答案了。' }
    const { models } = scriptedModel([
      step(calls('c1', 'show_insight', insight)),
      step(says('慢', first, '慢', second, '说。')),
    ])
    // An address has such a name in bytes.
    await using chat = await opened(models, '今晚')
    const { page, line } = chat
    await say(page, '累')
    await page.getByText('慢').waitFor()

    line.cut()
    first.open()
    await page.getByText('慢慢').waitFor()
    await page.reload()
    await page.getByText('慢慢').waitFor()
    second.open()

    await page.getByText('慢慢说。').waitFor()
    expect(await page.locator('article').count()).toBe(2)
    expect(await page.locator('.insights').count()).toBe(1)
    expect(await page.getByRole('alert').count()).toBe(0)
  })

  it('reads a date in words, and forgets all once its user has said yes', async () => {
    await using chat = await opened()
    const { page } = chat
    await say(page, '我想看看我的八字')
    await page.getByLabel('出生日期').fill('农历1990年四月廿一')
    await page.getByLabel('出生时间').fill('未时')
    await page.getByLabel('性别').selectOption({ label: '女' })
    await page.getByRole('button', { name: 'Done' }).click()
    await page.locator('.chart').waitFor()
    expect(await pillars(page)).toEqual(['癸未', '庚辰', '辛巳', '庚午'])

    await page.getByRole('button', { name: 'Send' }).waitFor()
    await say(page, '记住我喜欢爬山')
    await page.locator('.remembered').waitFor()
    await page.getByRole('button', { name: 'Send' }).waitFor()
    await say(page, '忘掉我')
    await page.getByRole('button', { name: 'Yes' }).click()
    await page
      .locator('p', { hasText: /^记住的内容都忘掉了，一共 1 条/ })
      .last()
      .waitFor()

    expect(await page.getByRole('button', { name: 'Yes' }).count()).toBe(0)
    await expect.poll(() => page.getByRole('button', { name: 'Send' }).count()).toBe(1)
  })

  it('says so where the server is gone, before a word was said and after', async () => {
    await using chat = await opened()
    const { page } = chat
    await page.getByLabel('Message').waitFor()

    await page.route('**/api/**', (route) => route.fulfill({ status: 500 }))
    await say(page, 'Hello')
    const alert = page.getByRole('alert')
    await alert.waitFor()
    expect(await alert.innerText()).toMatch(/^The server does not answer\./)
    await page.reload()
    await alert.waitFor()
    expect(await alert.innerText()).toMatch(/^The server does not answer\./)
    await page.unroute('**/api/**')
    await page.reload()
    await page.getByLabel('Message').waitFor()
  })
})
