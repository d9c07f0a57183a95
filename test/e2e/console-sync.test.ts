import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'

import { calls, says, scriptedModel, step } from '../support/scripted-model.ts'
import { gate } from '../support/gate.ts'
import { weather } from '../support/story-tools.ts'
import { accessibilityFaults, consoleBrowser, expectMessages, openConsole, sendMessage } from './console.ts'

const ride = { ...weather, name: 'ride', needsApproval: () => true }

describe('a second device', () => {
  const browser = consoleBrowser()

  it('shows what is said, renamed, and deleted on the first one', async () => {
    const { models } = scriptedModel([step(says('One.')), step(says('Two.'))])
    await using server = await openConsole({ models })
    await using first = await browser.open(server.url)
    await sendMessage(first.page, 'Say one.')
    await expectMessages(first.page, ['Say one.', 'One.'])
    await using second = await browser.open(first.page.url())
    await expectMessages(second.page, ['Say one.', 'One.'])

    await sendMessage(first.page, 'Say two.')
    await expectMessages(first.page, ['Say one.', 'One.', 'Say two.', 'Two.'])
    await expectMessages(second.page, ['Say one.', 'One.', 'Say two.', 'Two.'])

    await change(first.page, 'PATCH', { title: 'Numbers' })
    await second.page.getByRole('heading', { name: 'Numbers' }).waitFor()
    await second.page.locator('.thread-title', { hasText: 'Numbers' }).waitFor()

    await change(first.page, 'DELETE')
    await second.page.getByText('There is no such conversation').waitFor()
    await expect.poll(() => second.page.locator('.thread-item').count()).toBe(0)
  })

  it('marks what is written, what waits, and what was not seen', async () => {
    const here = gate()
    const { models } = scriptedModel([
      step([here], calls('c1', 'ride', { city: 'Oslo' })),
      step(says('We are there.')),
    ])
    await using server = await openConsole({ models, tools: [ride] })
    await using second = await browser.open(server.url)
    await using first = await browser.open(server.url)
    const mark = second.page.locator('.thread-mark')

    await sendMessage(first.page, 'Ride.')
    await mark.filter({ hasText: 'An answer is being written' }).waitFor()
    here.open()
    await mark.filter({ hasText: 'Waits for you' }).waitFor()
    await second.page.getByLabel('1 open question').waitFor()
    expect(await accessibilityFaults(second.page)).toEqual([])
    await first.page.getByRole('button', { name: 'Allow' }).click()
    await mark.filter({ hasText: 'New answer' }).waitFor()
    expect(await second.page.getByLabel('1 open question').count()).toBe(0)

    await second.page.locator('.thread-item a').click()
    await expectMessages(second.page, ['Ride.', 'We are there.'])
    await mark.waitFor({ state: 'detached' })
  })

  it('finds out what it has missed when the connection comes back', async () => {
    const { models } = scriptedModel([step(says('One.'))])
    await using server = await openConsole({ models })
    await using first = await browser.open(server.url)
    await using second = await browser.open(server.url)
    await second.page.getByText('No conversations yet.').waitFor()
    await second.context.setOffline(true)
    await sendMessage(first.page, 'Say one.')
    await expectMessages(first.page, ['Say one.', 'One.'])

    await second.context.setOffline(false)

    await second.page.locator('.thread-title', { hasText: 'Say one.' }).waitFor()
  })
})

describe('many tabs', () => {
  const browser = consoleBrowser()

  it('share one stream of changes, so that each of them still reaches the server', async () => {
    const { models } = scriptedModel([step(says('One.'))])
    await using server = await openConsole({ models })
    await using first = await browser.open(server.url)
    const tabs = [first.page]
    while (tabs.length < 8) {
      const page = await first.context.newPage()
      await page.goto(server.url)
      tabs.push(page)
    }

    await sendMessage(first.page, 'Say one.')

    for (const page of tabs) await page.locator('.thread-title', { hasText: 'Say one.' }).waitFor()
  })
})

/** What another client of the same user does to the thread of a page. */
async function change(page: Page, method: string, body?: object): Promise<void> {
  const path = new URL(page.url()).pathname.replace('/console', '/v1')
  const status = await page.evaluate(
    async (of) =>
      (
        await fetch(of.path, {
          method: of.method,
          headers: { 'content-type': 'application/json' },
          ...(of.body && { body: JSON.stringify(of.body) }),
        })
      ).status,
    { path, method, body },
  )
  expect(status).toBeLessThan(300)
}
