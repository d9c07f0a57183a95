import { readFile } from 'node:fs/promises'

import type { Page, Route } from 'playwright-core'
import { describe, expect, it } from 'vitest'

import { accessibilityFaults, consoleBrowser, openConsole } from '../../../test/e2e/console.ts'
import type { TestServer } from '../../../test/support/server.ts'
import { life } from '../src/index.ts'

const PAGE = '/console/agents/life'
const birth = { birthDate: '1990-05-15', birthTime: '14:30', birthPlace: 'Chengdu, China', gender: 'female' }

describe('the page of life in the console', () => {
  const browser = consoleBrowser()
  const open = () => openConsole({ agents: [life], env: { DRAGOMAN_OFFLINE_PACE: '0' } })
  const send = async ({ url }: TestServer, method: string, path: string, body?: object): Promise<Response> =>
    fetch(`${url}${path}`, {
      method,
      ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    })
  const tab = (page: Page, name: string) =>
    page.locator('.life-tabs').getByRole('link', { name, exact: true }).click()

  it('shows today without a birth, and how the day relates to the user with one', async () => {
    await using server = await open()
    await using chat = await browser.open(`${server.url}${PAGE}`)
    const { page } = chat
    await page.getByText('With your date of birth, this page says how the day relates to you.').waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    await page.getByRole('button', { name: 'Add your birth' }).click()
    await page.getByLabel('Date of birth').fill('1990-05-15')
    await page.getByLabel('Gender').selectOption('female')

    await page.getByRole('button', { name: 'Save' }).first().click()
    await page.getByText('1990-05-15, hour not known, place not given, female').waitFor()
    await tab(page, 'Today')

    await page.getByText('To your day master Geng (yang metal)').waitFor()
    expect(await page.getByRole('list', { name: 'Good for' }).count()).toBe(1)
    const step = page.getByRole('checkbox')
    await step.check()
    await page.reload()
    await expect.poll(() => step.isChecked()).toBe(true)
    await page.getByText('Wise', { exact: true }).click()
    await expect
      .poll(async () => (await send(server, 'GET', '/life/profile')).json())
      .toMatchObject({
        profile: { preferences: { voice: 'wise' } },
      })
  })

  it('says next to a field what is wrong with it, and lets the chart follow the birth', async () => {
    await using server = await open()
    await using chat = await browser.open(`${server.url}${PAGE}/chart`)
    const { page } = chat
    await page.getByLabel('Date of birth').fill('1990-02-30')
    await page.getByLabel('Place of birth').fill('Springfield')
    await page.getByLabel('Gender').selectOption('male')
    const save = page.getByRole('button', { name: 'Save' })

    await save.click()
    await page.getByRole('alert').waitFor()
    const date = page.getByLabel('Date of birth')
    expect(await date.getAttribute('aria-invalid')).toBe('true')
    expect(await date.evaluate((input) => input.matches(':focus'))).toBe(true)
    expect(await accessibilityFaults(page)).toEqual([])
    await date.fill('1990-05-15')
    await save.click()
    const choices = page.getByRole('group', { name: 'Which place do you mean?' }).getByRole('button')
    await choices.first().click()

    await page.getByRole('heading', { name: 'Day master: Geng (yang metal)' }).waitFor()
    expect(await (await send(server, 'GET', '/life/profile')).json()).toMatchObject({
      profile: { birth: { place: { name: expect.stringMatching(/^Springfield, .*US$/) } } },
    })
    await page.locator('.life-kline').waitFor()
    expect(await page.locator('.life-now text').textContent()).toMatch(/^now, \d{4}: \d+$/)
    expect(await accessibilityFaults(page)).toEqual([])
    await send(server, 'PUT', '/life/profile/birth', { ...birth, birthDate: '1991-05-15' })
    await page.reload()
    await page.getByRole('heading', { name: 'Day master: Yi (yin wood)' }).waitFor()
  })

  it('keeps a lunar leap month as it was, and the name and texts of the user', async () => {
    await using server = await open()
    await send(server, 'PUT', '/life/profile/birth', { ...birth, birthDate: '农历1990年闰五月初二' })
    await using chat = await browser.open(`${server.url}${PAGE}/profile`, { locale: 'zh-CN' })
    const { page } = chat
    await page.getByText('农历1990年闰五月初二，14:30，Chengdu, China，女').waitFor()
    expect(await accessibilityFaults(page)).toEqual([])

    const saved = page.waitForResponse((response) => response.request().method() === 'PUT')
    await page.getByRole('region', { name: '出生信息' }).getByRole('button', { name: '保存' }).click()
    expect((await saved).status()).toBe(200)
    await page.getByLabel('称呼').fill('小林')
    await page.getByLabel('你想要的').fill('游泳')
    await page.getByRole('region', { name: '关于你' }).getByRole('button', { name: '保存' }).click()
    await page.getByRole('region', { name: '关于你' }).getByText('已保存。').waitFor()
    const { promise: chosen, resolve } = Promise.withResolvers<void>()
    const hold = (route: Route): Promise<void> => chosen.then(() => route.continue())
    await page.route('**/life/profile', hold, { times: 1 })
    await page.getByLabel('时区').selectOption('Asia/Tokyo')
    // The first choice is still being saved.
    await page.getByLabel('语言').selectOption('English')
    expect(await page.getByLabel('时区').inputValue()).toBe('Asia/Tokyo')
    resolve()

    await expect
      .poll(async () => (await send(server, 'GET', '/life/profile')).json())
      .toMatchObject({
        profile: {
          displayName: '小林',
          birth: { date: { calendar: 'lunar', year: 1990, month: 5, day: 2, leap: true } },
          told: { goals: '游泳' },
          preferences: { zone: 'Asia/Tokyo', language: 'en' },
        },
      })
  })

  it('lists memories, searches them, and forgets one and all', async () => {
    await using server = await open()
    for (const content of ['I like hiking', 'My sister lives in Lisbon'])
      await send(server, 'POST', '/life/memories', { content })
    await using chat = await browser.open(`${server.url}${PAGE}/memory`)
    const { page } = chat
    const items = page.locator('.life-memories li p')
    await page.getByRole('heading', { name: 'Memories: 2' }).waitFor()
    await page.getByLabel('Add a memory').fill('I want to learn to swim')
    await page.getByRole('button', { name: 'Add' }).click()
    await expect.poll(() => items.allTextContents()).toContain('I want to learn to swim')
    expect(await accessibilityFaults(page)).toEqual([])
    await page.getByLabel('Search memories').fill('lisbon')
    await expect.poll(() => items.allTextContents()).toEqual(['My sister lives in Lisbon'])

    await page.getByRole('button', { name: 'Forget: My sister lives in Lisbon' }).click()
    await page.getByText('No memory has these words.').waitFor()
    await page.getByLabel('Search memories').fill('')
    await page.getByRole('button', { name: 'Forget everything' }).click()
    await page.getByText('All 2 memories are deleted for good.').waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    await page.getByRole('dialog').getByRole('button', { name: 'Forget everything' }).click()

    await page.getByText('Nothing is remembered yet.').waitFor()
    const heading = page.getByRole('heading', { name: 'Memories: 0' })
    await expect.poll(() => heading.evaluate((element) => element.matches(':focus'))).toBe(true)
    expect(await (await send(server, 'GET', '/life/memories')).json()).toMatchObject({ total: 0 })
    await page.getByLabel('Remember what matters to me').uncheck()
    await page.getByLabel('Add a memory').waitFor({ state: 'detached' })
  })

  it('exports everything, and erases it once the user has confirmed', async () => {
    await using server = await open()
    await send(server, 'PUT', '/life/profile/birth', birth)
    await send(server, 'POST', '/life/memories', { content: 'I like hiking' })
    await using chat = await browser.open(`${server.url}${PAGE}/privacy`, { acceptDownloads: true })
    const { page } = chat
    const download = page.waitForEvent('download')

    await page.getByRole('link', { name: 'Download' }).click()
    const file = await download
    expect(file.suggestedFilename()).toBe('life.json')
    expect(JSON.parse(await readFile(await file.path(), 'utf8'))).toMatchObject({
      profile: { birth: { gender: 'female' } },
      memories: [{ content: 'I like hiking' }],
    })
    await page.getByRole('button', { name: 'Erase everything' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('all memories (1)').waitFor()
    await dialog.getByText('Your conversations stay.').waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    expect(await (await send(server, 'GET', '/life/memories')).json()).toMatchObject({ total: 1 })
    await page.getByRole('button', { name: 'Erase everything' }).click()
    await dialog.getByRole('button', { name: 'Erase everything' }).click()

    await page.getByText('Everything is erased.').waitFor()
    expect(await (await send(server, 'GET', '/life/export')).json()).toMatchObject({
      profile: { preferences: { memory: true } },
      memories: [],
    })
    await tab(page, 'Chart')
    await page.getByText('Your chart begins with your birth').waitFor()
  })

  it('fits a phone, in the language of the page', async () => {
    await using server = await open()
    await send(server, 'PUT', '/life/profile/birth', birth)
    await using chat = await browser.open(`${server.url}${PAGE}`, {
      locale: 'zh-CN',
      viewport: { width: 360, height: 740 },
    })
    const { page } = chat
    for (const [name, text] of [
      ['今天', '黄历'],
      ['命盘', '日主：阳金'],
      ['资料', '说话的方式'],
      ['记忆', '记忆：0 条'],
      ['隐私', '带走你的数据'],
    ] as const) {
      await tab(page, name)
      await page.getByRole('heading', { name: text }).waitFor()
      const width = await page.locator('.page').evaluate(({ scrollWidth }) => scrollWidth)
      expect([name, width]).toEqual([name, 360])
      expect(await accessibilityFaults(page)).toEqual([])
    }
    await page.goto(server.url)
    await page.getByRole('heading', { name: '人生' }).waitFor()
  })
})
