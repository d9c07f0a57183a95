import { describe, expect, it } from 'vitest'

import { AWAY, openModelHost } from '../support/model-host.ts'
import { accessibilityFaults, consoleBrowser, expectMessages, openConsole, sendMessage } from './console.ts'

const KEY = 'sk-right-0123456789'
const SECRET = { DRAGOMAN_SECRET: 'a secret of the tests' }

describe('the console’s page for models', () => {
  const browser = consoleBrowser()

  it('takes a key from the first page on, names the model that answers now, and forgets the key', async () => {
    await using server = await openConsole({ isOnDisk: true, env: AWAY })
    await using chat = await browser.open(server.url)
    const { page } = chat
    await page.getByText('The demo model answers.').waitFor()

    await page.getByRole('link', { name: 'Connect a model' }).click()
    await page.getByLabel('Key for OpenAI').fill('sk-test')
    await page.getByRole('form', { name: 'OpenAI' }).getByRole('button', { name: 'Save' }).click()
    await page.getByRole('form', { name: 'OpenAI' }).getByText('Configured').waitFor()
    await expect.poll(() => page.getByLabel('Key for OpenAI').inputValue()).toBe('')
    await page.getByRole('link', { name: 'New chat' }).first().click()

    await page.getByText(/openai:\S+ answers\./).waitFor()
    await page.getByRole('link', { name: 'Models' }).click()
    await page.getByRole('form', { name: 'OpenAI' }).getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('link', { name: 'Try the demo model' }).click()
    await page.getByText('The demo model answers.').waitFor()
  })

  it('tries a key, adds a provider at an address, and offers its whole list before the first message', async () => {
    const list = {
      data: [...Array.from({ length: 120 }, (_, at) => ({ id: `m-${at}` })), { id: 'text-embed' }],
    }
    await using host = await openModelHost({ list, key: KEY, answer: 'I am here.' })
    await using server = await openConsole({ isOnDisk: true, env: { ...AWAY, ...SECRET } })
    await using chat = await browser.open(`${server.url}/console/models`)
    const { page } = chat
    const form = page.getByRole('form', { name: 'Another provider' })
    await form.getByLabel('Name, such as deepseek').fill('relay')
    await form.getByLabel('Address').fill(host.url)
    await form.getByLabel('Key, if it needs one').fill('sk-wrong')
    await form.getByRole('button', { name: 'Add' }).click()
    await form.getByText('Incorrect API key provided').waitFor()

    await form.getByLabel('Key, if it needs one').fill(KEY)
    await form.getByRole('button', { name: 'Add' }).click()

    const relay = page.getByRole('form', { name: 'relay' })
    await relay.getByText('Configured').waitFor()
    await relay.getByText('120 models.').waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    await page.getByRole('link', { name: 'New chat' }).first().click()
    await page.getByRole('button', { name: /^Model: / }).click()
    const dialog = page.getByRole('dialog', { name: 'Model' })
    await dialog.getByText('more: search for them.').waitFor()
    await dialog.getByPlaceholder('Search models').fill('embed')
    await dialog.getByText('No model of that name.').waitFor()
    await dialog.getByPlaceholder('Search models').fill('relay 119')
    expect(await accessibilityFaults(page)).toEqual([])
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Model: relay/m-119' }).waitFor()
    await sendMessage(page, 'Hello')
    await expectMessages(page, ['Hello', 'I am here.'])
    await page.getByRole('button', { name: 'Model: relay/m-119' }).waitFor()
  })

  it.each([
    ['the owner the page that helps', 'local', 'Check the key and the models'],
    ['others whom they can ask', 'ada', 'Ask the owner of this server to check its models.'],
  ])('shows %s when a key is refused', async (_what, user, words) => {
    await using host = await openModelHost({ list: { data: [] }, key: KEY })
    const env = { OPENAI_BASE_URL: host.url, OPENAI_API_KEY: 'sk-expired', OPENAI_MODEL: 'gpt-x' }
    const isLocal = user === 'local'
    await using server = await openConsole({
      isOnDisk: true,
      env,
      ...(!isLocal && { users: [user], flags: ['--require-token'] }),
    })
    await using chat = await browser.open(server.url)
    const { page } = chat
    if (!isLocal) {
      await page.getByLabel('Token').fill(server.token(user))
      await page.getByRole('button', { name: 'Sign in' }).click()
    }

    await sendMessage(page, 'Hello')

    await page.getByText(words).waitFor()
    expect(await page.getByRole('link', { name: words }).count()).toBe(isLocal ? 1 : 0)
  })

  it('shows the page that helps when the address of a provider leads nowhere', async () => {
    // A port that no program may be asked at.
    const env = { OPENAI_BASE_URL: 'http://127.0.0.1:9/v1', OPENAI_API_KEY: 'sk-a', OPENAI_MODEL: 'gpt-x' }
    await using server = await openConsole({ isOnDisk: true, env })
    await using chat = await browser.open(server.url)
    await sendMessage(chat.page, 'Hello')

    await chat.page.getByText('could not be reached').waitFor()
    await chat.page.getByRole('link', { name: 'Check the key and the models' }).waitFor()
  })
})
