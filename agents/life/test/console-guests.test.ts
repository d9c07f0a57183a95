import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'

import { accessibilityFaults, consoleBrowser, openConsole, sendMessage } from '../../../test/e2e/console.ts'
import { jobs } from '../../jobs/src/index.ts'
import { life } from '../src/index.ts'

describe('guests in the console', () => {
  const browser = consoleBrowser()
  const open = () =>
    openConsole({
      agents: [jobs, life],
      flags: ['--require-token', '--guests'],
      users: ['ada'],
      env: { DRAGOMAN_OFFLINE_PACE: '0' },
    })
  const enter = (page: Page) => page.getByRole('button', { name: 'Continue as a guest' }).click()

  it('talk to the agents that admit them, and see nothing of the rest', async () => {
    await using server = await open()
    await using chat = await browser.open(server.url)
    const { page } = chat
    await page.getByRole('button', { name: 'Continue as a guest' }).waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    await enter(page)
    await page.locator('.life-greeting').waitFor()

    await sendMessage(page, 'Show me my chart')
    const form = page.locator('.life-form')
    await form.waitFor()
    await page.getByTestId('stop-button').waitFor({ state: 'detached' })
    await form.getByLabel('Date of birth').fill('1990-05-15')
    await form.getByLabel('Gender').selectOption('female')
    await form.getByRole('button', { name: 'Send' }).click()
    await page.getByRole('heading', { name: 'Day master: Geng (yang metal)' }).waitFor()
    await page.getByRole('button', { name: 'Answer again' }).first().waitFor()

    for (const name of ['Run inspector', 'Models', 'Inspect the run', 'Connect a model'])
      expect([name, await page.getByRole('link', { name }).count()]).toEqual([name, 0])
    expect(await page.getByRole('button', { name: /^Model:/ }).count()).toBe(0)
    await page.goto(`${server.url}/console/models`)
    await page.getByText('Guests cannot use this page.').waitFor()
    await page.goto(`${server.url}/console/agents/life/profile`)
    await page.getByText('1990-05-15, hour not known, place not given, female').waitFor()
  })

  it('keep what is theirs, and erase it with their conversations', async () => {
    await using server = await open()
    await using ada = await browser.open(`${server.url}/console/agents/life/memory`)
    await using bob = await browser.open(`${server.url}/console/agents/life/memory`)
    await enter(ada.page)
    await enter(bob.page)
    await ada.page.getByLabel('Add a memory').fill('I like hiking')
    await ada.page.getByRole('button', { name: 'Add' }).click()
    await ada.page.getByRole('heading', { name: 'Memories: 1' }).waitFor()
    await ada.page.getByRole('link', { name: 'New chat' }).click()
    await sendMessage(ada.page, 'What do you remember about me?')
    await ada.page.getByText('I like hiking').last().waitFor()
    await bob.page.reload()
    await bob.page.getByRole('heading', { name: 'Memories: 0' }).waitFor()

    await ada.page.getByRole('link', { name: 'Life', exact: true }).click()
    await ada.page.getByRole('link', { name: 'Privacy' }).click()
    await ada.page.getByText('You are a guest').waitFor()
    await ada.page.getByRole('button', { name: 'Erase everything' }).click()
    const dialog = ada.page.getByRole('dialog')
    await dialog.getByText('all your conversations').waitFor()
    await dialog.getByRole('button', { name: 'Erase everything' }).click()

    await ada.page.getByText('Everything is erased.').waitFor()
    await ada.page.getByText('No conversations yet.').waitFor()
  })

  it('take what is theirs along when they sign in', async () => {
    await using server = await open()
    await using chat = await browser.open(`${server.url}/console/agents/life/memory`)
    const { page } = chat
    await enter(page)
    await page.getByLabel('Add a memory').fill('I like hiking')
    await page.getByRole('button', { name: 'Add' }).click()
    await page.getByRole('heading', { name: 'Memories: 1' }).waitFor()
    await page.getByRole('button', { name: 'Settings' }).click()
    await page.getByRole('menuitem', { name: 'Sign in' }).click()
    await page.getByLabel('Token').fill(server.token('ada'))
    // Another person may have used the browser before.
    await page.getByRole('checkbox').check()

    await page.getByRole('button', { name: 'Sign in' }).click()

    await page.getByRole('link', { name: 'Run inspector' }).waitFor()
    await page.getByRole('link', { name: 'Life', exact: true }).click()
    await page.getByRole('link', { name: 'Memory' }).click()
    await page.getByText('I like hiking').waitFor()
  })

  it('are not offered where the server admits none', async () => {
    await using server = await openConsole({ agents: [life], flags: ['--require-token'], users: ['ada'] })
    await using chat = await browser.open(server.url)

    await chat.page.getByLabel('Token').waitFor()
    expect(await (await fetch(`${server.url}/auth/verify`)).json()).not.toHaveProperty('guests')
    expect(await chat.page.getByRole('button', { name: 'Continue as a guest' }).count()).toBe(0)
  })
})
