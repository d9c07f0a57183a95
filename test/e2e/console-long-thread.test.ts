import { describe, expect, it } from 'vitest'

import { client } from '../support/http.ts'
import { says, scriptedModel, step, thinks } from '../support/scripted-model.ts'
import { consoleBrowser, openConsole } from './console.ts'

/** A body may hold 50,000 values: seven of them are a message. */
const COUNT = 6000

describe('the console with a long conversation', () => {
  const browser = consoleBrowser()

  it('shows its end at once, keeps few messages in the document, and loads the earlier ones', async () => {
    await using server = await openConsole({ models: scriptedModel([step(says('The end.'))]).models })
    const messages = Array.from({ length: COUNT - 1 }, (_, index) => ({
      id: `m${index + 1}`,
      role: index % 2 === 0 ? 'user' : 'assistant',
      parts: [{ type: 'text', text: `Message ${index + 1}` }],
    }))
    const response = await client(server).post('/jobs/chat', {
      id: 'long',
      trigger: 'submit-message',
      messages,
    })
    await response.text()
    await using chat = await browser.open(`${server.url}/console/threads/long`)
    const { page } = chat
    await page.getByText('The end.').waitFor()
    expect(await page.locator('article').count()).toBeLessThan(50)

    await page.locator('.message-scroll').hover()
    const firstInSight = async (): Promise<number> => {
      const text = await page.locator('.message-row').first().innerText()
      return Number(/Message (\d+)/.exec(text)?.[1])
    }
    await expect
      .poll(async () => {
        await page.mouse.wheel(0, -4000)
        return firstInSight()
      })
      .toBeLessThan(COUNT - 500)
    expect(await page.locator('article').count()).toBeLessThan(50)
    await page.getByRole('button', { name: 'To the latest message' }).click()
    await page.getByText('The end.').waitFor()
  })

  it('keeps open what the user has opened while it is out of sight', async () => {
    const { models } = scriptedModel([step(thinks('I weigh it.'), says('The end.'))])
    await using server = await openConsole({ models })
    const messages = Array.from({ length: 299 }, (_, index) => ({
      id: `m${index + 1}`,
      role: index % 2 === 0 ? 'user' : 'assistant',
      parts: [{ type: 'text', text: `Message ${index + 1}` }],
    }))
    await (
      await client(server).post('/jobs/chat', { id: 'long', trigger: 'submit-message', messages })
    ).text()
    await using chat = await browser.open(`${server.url}/console/threads/long`)
    const { page } = chat
    await page.getByText('Reasoning').click()
    await page.getByText('I weigh it.').waitFor()

    await page.locator('.message-scroll').hover()
    await expect
      .poll(async () => {
        await page.mouse.wheel(0, -4000)
        return page.getByText('I weigh it.').count()
      })
      .toBe(0)
    await expect
      .poll(async () => {
        await page.mouse.wheel(0, 4000)
        return page.getByText('I weigh it.').count()
      })
      .toBe(1)
  })
})
