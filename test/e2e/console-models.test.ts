import { describe, expect, it } from 'vitest'

import { consoleBrowser, openConsole } from './console.ts'

describe('the console’s page for models', () => {
  const browser = consoleBrowser()

  it('takes a key from the first page on, names the model that answers now, and forgets the key', async () => {
    await using server = await openConsole({ isOnDisk: true })
    await using chat = await browser.open(server.url)
    const { page } = chat
    await page.getByText('The demo model answers.').waitFor()

    await page.getByRole('link', { name: 'Connect a model' }).click()
    await page.getByLabel('Key for OpenAI').fill('sk-test')
    await page.getByRole('form', { name: 'OpenAI' }).getByRole('button', { name: 'Save' }).click()
    await page.getByRole('form', { name: 'OpenAI' }).getByText('Configured').waitFor()
    expect(await page.getByLabel('Key for OpenAI').inputValue()).toBe('')
    await page.getByRole('link', { name: 'New chat' }).first().click()

    await page.getByText(/openai:\S+ answers\./).waitFor()
    await page.getByRole('link', { name: 'Models' }).click()
    await page.getByRole('form', { name: 'OpenAI' }).getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('link', { name: 'Try the demo model' }).click()
    await page.getByText('The demo model answers.').waitFor()
  })
})
