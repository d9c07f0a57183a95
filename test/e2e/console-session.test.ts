import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'

import { gate } from '../support/gate.ts'
import { says, scriptedModel, step, type Script } from '../support/scripted-model.ts'
import { newToken, withTokens } from '../support/users.ts'
import { accessibilityFaults, consoleBrowser, expectMessages, openConsole, sendMessage } from './console.ts'

describe('the console of a user whose session ends', () => {
  const browser = consoleBrowser()
  const open = (script: Script) =>
    openConsole({
      models: scriptedModel(script).models,
      flags: ['--require-token'],
      users: ['ada', 'bob'],
      isOnDisk: true,
    })

  it('asks to sign in over the page, in mid-answer, and goes on with all that was on it', async () => {
    const here = gate()
    await using server = await open([
      step(says('First half,', here, ' second half.')),
      step(says('You are welcome.')),
    ])
    await using chat = await browser.open(server.url)
    const { page } = chat
    await signIn(page, server.token('ada'))
    await sendMessage(page, 'Say both halves.')
    await page.getByText('First half,').waitFor()
    await page.getByTestId('chat-input').fill('Thanks.')
    const address = page.url()

    await withTokens(server.home, async (all) => all.revoke('ada'))

    const dialog = page.getByRole('dialog', { name: 'Sign in again' })
    await dialog.waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByTestId('send-button').click()
    await page.getByText('Not sent: You are signed out.').waitFor()
    here.open()
    await page.getByRole('button', { name: 'Sign in' }).click()
    await signIn(page, await newToken(server.home, 'ada'))

    await dialog.waitFor({ state: 'detached' })
    await page.getByText('First half, second half.').waitFor()
    expect(page.url()).toBe(address)
    await page.getByRole('button', { name: 'Try again' }).click()
    await expectMessages(page, [
      'Say both halves.',
      'First half, second half.',
      'Thanks.',
      'You are welcome.',
    ])
  })

  it('goes on in all tabs once the user has signed in in one, and leaves them to another user', async () => {
    await using server = await open([step(says('One.'))])
    await using chat = await browser.open(server.url)
    const { page } = chat
    await signIn(page, server.token('ada'))
    await sendMessage(page, 'Say one.')
    await expectMessages(page, ['Say one.', 'One.'])
    const second = await chat.context.newPage()
    await second.goto(page.url())
    await expectMessages(second, ['Say one.', 'One.'])

    await withTokens(server.home, async (all) => all.revoke('ada'))
    for (const tab of [page, second]) await tab.getByRole('dialog', { name: 'Sign in again' }).waitFor()
    await signIn(page, await newToken(server.home, 'ada'))

    for (const tab of [page, second])
      await tab.getByRole('dialog', { name: 'Sign in again' }).waitFor({ state: 'detached' })
    await withTokens(server.home, async (all) => all.revoke('ada'))
    for (const tab of [page, second]) await tab.getByRole('dialog', { name: 'Sign in again' }).waitFor()
    await signIn(page, server.token('bob'))
    for (const tab of [page, second]) await tab.getByText('No conversations yet.').waitFor()
    expect(new URL(second.url()).pathname).toBe('/')
  })

  it('keeps an unsent message, an edit and the files of a draft over a reload, for their user alone', async () => {
    await using server = await open([step(says('One.')), step(says('Two.'))])
    await using chat = await browser.open(server.url)
    const { page } = chat
    await signIn(page, server.token('ada'))
    await sendMessage(page, 'Say one.')
    await expectMessages(page, ['Say one.', 'One.'])
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByRole('textbox', { name: 'Edit' }).fill('Say one and a half.')
    await chat.context.setOffline(true)
    await sendMessage(page, 'Say two.')
    await page.getByText('Not sent: The server cannot be reached.').waitFor()
    await chat.context.setOffline(false)
    await page.getByTestId('chat-input').fill('See the picture.')
    await page.locator('input[type=file]').setInputFiles({
      name: 'dot.png',
      mimeType: 'image/png',
      buffer: Buffer.from(DOT, 'base64'),
    })
    await page.getByRole('button', { name: 'Remove dot.png' }).waitFor()

    await page.reload()

    await page.getByText('Not sent: The server cannot be reached.').waitFor()
    await page.getByRole('button', { name: 'Remove dot.png' }).waitFor()
    expect(await page.getByTestId('chat-input').inputValue()).toBe('See the picture.')
    expect(await page.getByRole('textbox', { name: 'Edit' }).inputValue()).toBe('Say one and a half.')

    const address = page.url()
    await withTokens(server.home, async (all) => all.revoke('ada'))
    await page.getByRole('dialog', { name: 'Sign in again' }).waitFor()
    await signIn(page, server.token('bob'))
    await page.getByText('No conversations yet.').waitFor()
    await page.goto(address)
    await page.getByText('There is no such conversation').waitFor()
    await page.goto(server.url)
    await page.getByTestId('chat-input').waitFor()
    expect(await page.getByRole('button', { name: 'Remove dot.png' }).count()).toBe(0)

    await page.evaluate(async () => fetch('/auth/sign-out', { method: 'POST' }))
    await page.goto(address)
    await signIn(page, await newToken(server.home, 'ada'))
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('Two.').waitFor()
    await page.getByRole('button', { name: 'Remove dot.png' }).waitFor()

    await page.getByRole('button', { name: 'Settings' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByLabel('Token').waitFor()
    expect(await countDrafts(page)).toEqual({ drafts: [], records: 0 })
  })
})

/** One pixel. */
const DOT = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

async function signIn(page: Page, token: string): Promise<void> {
  await page.getByLabel('Token').fill(token)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

/** What the browser keeps of a user. */
const COUNT_DRAFTS = `new Promise((resolve) => {
  const opening = indexedDB.open('dragoman')
  opening.onsuccess = () => {
    const counting = opening.result.transaction('records').objectStore('records').count()
    counting.onsuccess = () => resolve({
      drafts: Object.keys(sessionStorage).filter((key) => key.includes('draft')),
      records: counting.result,
    })
  }
})`

function countDrafts(page: Page): Promise<unknown> {
  return page.evaluate(COUNT_DRAFTS)
}
