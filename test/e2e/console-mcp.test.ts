import { describe, expect, it } from 'vitest'

import { oauthNotes } from '../../packages/dragoman/src/mcp/oauth-server.fixture.ts'
import { scriptedModel } from '../support/scripted-model.ts'
import { accessibilityFaults, consoleBrowser, openConsole } from './console.ts'

describe('the MCP servers of the console’s account page', () => {
  const browser = consoleBrowser()

  it.each([
    {
      locale: 'en-US',
      title: 'MCP servers',
      signIn: 'Sign in at notes',
      state: 'signed in',
      signOut: 'Sign out notes',
      refusal: 'The sign-in at notes was refused.',
    },
    {
      locale: 'zh-CN',
      title: 'MCP 服务器',
      signIn: '登录 notes',
      state: '已登录',
      signOut: '退出登录：notes',
      refusal: 'notes 的登录被拒绝了。',
    },
  ])('are signed in at and out: $locale', async ({ locale, title, signIn, state, signOut, refusal }) => {
    await using notes = await oauthNotes()
    await using server = await openConsole({
      models: scriptedModel().models,
      agent: { mcp: { notes: { url: notes.url } } },
    })
    await using opened = await browser.open(`${server.url}/console/account`, { locale })
    const { page } = opened
    const report = page.getByRole('region', { name: title })

    await report.getByRole('button', { name: signIn }).click()

    await report.getByText(state, { exact: true }).waitFor()
    expect(page.url()).toBe(`${server.url}/console/account`)
    expect(await accessibilityFaults(page)).toEqual([])
    await report.getByRole('button', { name: signOut }).click()
    await report.getByRole('button', { name: signIn }).waitFor()

    notes.refuse()
    await report.getByRole('button', { name: signIn }).click()
    await report.getByText(refusal).waitFor()
  })
})
