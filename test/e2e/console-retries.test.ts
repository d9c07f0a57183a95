import { expect, describe, it } from 'vitest'

import { createModels, modelsFileSchema } from '../../packages/dragoman/src/models/index.ts'
import { wireProvider, type Reply } from '../support/wire-provider.ts'
import { wireWords } from '../support/wire-words.ts'
import { accessibilityFaults, consoleBrowser, openConsole, sendMessage } from './console.ts'

const [, , chat] = wireWords
const hello: Reply = { body: [...(chat?.begin ?? []), ...(chat?.text('Hello') ?? []), ...(chat?.end ?? [])] }
const failing = (status: number, headers: Readonly<Record<string, string>> = {}): Reply => ({
  status,
  headers,
  body: ['{"error":{"message":"not now"}}'],
})

describe('a model that fails', () => {
  const browser = consoleBrowser()
  const openWith = async (...replies: readonly Reply[]) => {
    const provider = await wireProvider()
    provider.play(...replies)
    const file = modelsFileSchema.parse({ providers: { wire: { base_url: provider.url, api: 'chat' } } })
    const models = createModels({ env: {}, offlinePace: 0, file })
    const server = await openConsole({ models, agent: { model: { primary: 'wire:m', fallback: 'wire:m' } } })
    return {
      url: server.url,
      async [Symbol.asyncDispose]() {
        await server[Symbol.asyncDispose]()
        await provider[Symbol.asyncDispose]()
      },
    }
  }

  it('is asked again, and the console says when and how often', async () => {
    await using server = await openWith(failing(500), failing(429, { 'retry-after': '2' }), hello)
    await using tab = await browser.open(server.url)
    const { page } = tab
    await sendMessage(page, 'Hi')

    await page.getByText("The model's provider does not answer; trying again in 1 s (2 of 4).").waitFor()
    await page.getByText("The model's provider is overloaded; trying again in 2 s (3 of 4).").waitFor()
    await page.getByText('Hello', { exact: true }).waitFor()
    expect(await page.getByText('trying again').count()).toBe(0)
  })

  it('leaves an error with a way to ask again', async () => {
    await using server = await openWith(failing(400), hello)
    await using tab = await browser.open(server.url)
    const { page } = tab
    await sendMessage(page, 'Hi')
    const problem = page.getByRole('alert')
    await problem.waitFor()
    expect(await accessibilityFaults(page)).toEqual([])

    await problem.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('Hello', { exact: true }).waitFor()
    expect(await problem.count()).toBe(0)
  })
})
