import { describe, expect, it } from 'vitest'

import { scriptedModel } from '../support/scripted-model.ts'
import { accessibilityFaults, consoleBrowser, openConsole } from './console.ts'

const WORDS = {
  'en-US': {
    token: 'Token',
    signIn: 'Sign in',
    title: 'Account',
    sessions: 'Signed-in browsers',
    current: 'this browser',
    end: /^Sign out Chrome/,
    others: 'Sign out all other browsers',
  },
  'zh-CN': {
    token: '令牌',
    signIn: '登录',
    title: '账户',
    sessions: '已登录的浏览器',
    current: '当前浏览器',
    end: /^退出登录：Chrome/,
    others: '其他浏览器全部退出登录',
  },
} as const

describe('the console’s account page', () => {
  const browser = consoleBrowser()

  it.each(Object.keys(WORDS) as (keyof typeof WORDS)[])(
    'lists the browsers that are signed in, and signs them out: %s',
    async (locale) => {
      const words = WORDS[locale]
      await using server = await openConsole({
        models: scriptedModel().models,
        flags: ['--require-token'],
        users: ['ada'],
      })
      const signedIn = async () => {
        const opened = await browser.open(server.url, { locale })
        await opened.page.getByLabel(words.token).fill(server.token('ada'))
        await opened.page.getByRole('button', { name: words.signIn }).click()
        await opened.page.getByTestId('chat-input').waitFor()
        return opened
      }
      await using here = await signedIn()
      await using second = await signedIn()
      await using third = await signedIn()
      const { page } = here
      page.on('dialog', (dialog) => void dialog.accept())

      await page.goto(`${server.url}/console/account`)

      const report = page.getByRole('region', { name: words.sessions })
      await expect.poll(() => report.getByRole('listitem').count()).toBe(3)
      await page.getByRole('heading', { name: words.title }).waitFor()
      expect(await report.getByText(words.current).count()).toBe(1)
      expect(await accessibilityFaults(page)).toEqual([])
      await report.getByRole('button', { name: words.end }).first().click()
      await expect.poll(() => report.getByRole('listitem').count()).toBe(2)
      await report.getByRole('button', { name: words.others }).click()
      await expect.poll(() => report.getByRole('listitem').count()).toBe(1)
      for (const other of [second, third]) {
        await other.page.reload()
        await other.page.getByLabel(words.token).waitFor()
      }
      await page.reload()
      await report.getByText(words.current).waitFor()
    },
  )
})
