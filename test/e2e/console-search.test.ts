import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'

import { client } from '../support/http.ts'
import { says, scriptedModel, step } from '../support/scripted-model.ts'
import { consoleBrowser, openConsole, sendMessage } from './console.ts'

/** So many messages of a client's history are kept. */
const COUNT = 1000
const WORD = 'Quokka'

describe('the search of the console', () => {
  const browser = consoleBrowser()
  const search = async (page: Page, word: string): Promise<void> => {
    await page.getByTestId('chat-input').waitFor()
    await page.keyboard.press('Control+k')
    await page.getByPlaceholder('Search conversations and pages').fill(word)
    await page.locator('.palette-found mark').first().click()
  }
  const isInView = (page: Page, text: string): Promise<boolean> =>
    page.getByText(text, { exact: true }).evaluate((found) => {
      const { top, bottom } = found.getBoundingClientRect()
      const list = found.closest('.message-scroll')?.getBoundingClientRect()
      return list !== undefined && top >= list.top && bottom <= list.bottom
    })

  it('leads to a message far up in a long conversation, also again and after a reload', async () => {
    await using server = await openConsole({ models: scriptedModel([step(says('The end.'))]).models })
    const messages = Array.from({ length: COUNT - 1 }, (_, index) => ({
      id: `m${index + 1}`,
      role: index % 2 === 0 ? 'user' : 'assistant',
      parts: [{ type: 'text', text: index === 133 ? WORD : `Message ${index + 1}` }],
    }))
    await (
      await client(server).post('/jobs/chat', { id: 'long', trigger: 'submit-message', messages })
    ).text()
    const countFound = async (): Promise<number> => {
      const response = await fetch(`${server.url}/v1/search?q=${WORD}`)
      return ((await response.json()) as { messages: unknown[] }).messages.length
    }
    await expect.poll(countFound, { timeout: 30_000 }).toBe(1)
    await using chat = await browser.open(server.url)
    const { page } = chat

    await search(page, WORD)
    await page.locator('.message-row.found').getByText(WORD).waitFor()
    await expect.poll(() => isInView(page, WORD)).toBe(true)
    expect(page.url()).toMatch(/\/console\/threads\/\w+\?message=\w+$/)
    expect(await page.locator('article').count()).toBeLessThan(60)
    await page.locator('.message-row:not(.found)').getByText(WORD).waitFor()

    await page.locator('.message-scroll').hover()
    await page.mouse.wheel(0, 3000)
    await expect.poll(() => page.getByText(WORD, { exact: true }).count()).toBe(0)
    await search(page, WORD)
    await expect.poll(() => isInView(page, WORD)).toBe(true)

    await page.reload()
    await page.locator('.message-row.found').getByText(WORD).waitFor()
    await expect.poll(() => isInView(page, WORD)).toBe(true)
  })

  it('leads to a message on another branch, and says where there is none', async () => {
    const models = scriptedModel([step(says('An okapi.')), step(says('A lynx.'))])
    await using server = await openConsole(models)
    await using chat = await browser.open(server.url)
    const { page } = chat
    await sendMessage(page, 'Name an animal')
    await page.getByText('An okapi.').waitFor()
    await page.getByRole('button', { name: 'Answer again' }).click()
    await page.getByText('A lynx.').waitFor()
    await page.getByText('2/2').waitFor()

    await search(page, 'okapi')
    await page.locator('.message-row.found').getByText('An okapi.').waitFor()
    await page.getByText('1/2').waitFor()

    const { pathname } = new URL(page.url())
    await page.goto(`${server.url}${pathname}?message=msg_gone`)
    await page.getByText('This message is no longer in the conversation.').waitFor()
    await page.getByText('An okapi.').waitFor()
  })
})
