import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'

import { defineTool } from '../../packages/dragoman/src/index.ts'
import { calls, says, scriptedModel, step } from '../support/scripted-model.ts'
import type { TestServer } from '../support/server.ts'
import { weather } from '../support/story-tools.ts'
import { consoleBrowser, openConsole } from './console.ts'

/** A browser has six connections to a server. */
const CHATS = 7

/** A console whose chats go on until the gate opens. */
function openWalks(gate: Promise<void>) {
  const walk = defineTool({
    name: 'walk',
    description: 'Walks.',
    inputSchema: weather.inputSchema,
    execute: async () => {
      await gate
      return 'walked'
    },
  })
  const walks = Array.from({ length: CHATS }, (_, at) => step(calls(`c${at}`, 'walk', { city: 'Oslo' })))
  const ends = Array.from({ length: CHATS }, () => step(says('We are there.')))
  const { models } = scriptedModel([...walks, ...ends])
  return openConsole({ models, tools: [walk] })
}

describe('the console', () => {
  const browser = consoleBrowser()
  const ride = { ...weather, name: 'ride', needsApproval: () => true }

  it('has a connection left while it shows many chats that wait, one after the other', async () => {
    const asks = Array.from({ length: CHATS }, (_, at) => step(calls(`c${at}`, 'ride', { city: 'Oslo' })))
    const { models } = scriptedModel([...asks, step(says('We are there.'))])
    await using server = await openConsole({ models, tools: [ride] })
    await using chat = await browser.open(server.url)
    const { page } = chat

    await showEach(page, server)
    await page.getByRole('button', { name: 'Allow' }).click()

    await page.getByText('We are there.').waitFor()
  })

  it('has one left while it shows many chats that go on, one after the other', async () => {
    const gate = Promise.withResolvers<void>()
    await using server = await openWalks(gate.promise)
    await using chat = await browser.open(server.url)
    const { page } = chat

    const [first] = await showEach(page, server)
    await page.locator(`a[href$="${first}"]`).first().click()
    gate.resolve()

    await page.getByText('We are there.').waitFor()
  })
})

describe('many tabs', () => {
  const browser = consoleBrowser()

  it('that each show a chat that goes on have connections left, and each shows the end', async () => {
    const gate = Promise.withResolvers<void>()
    await using server = await openWalks(gate.promise)
    await using first = await browser.open(server.url)
    const tabs: Page[] = []
    for (let count = 0; count < CHATS; count++) {
      const id = await startChat(server.url, `chat ${count}`)
      const page = await first.context.newPage()
      await page.goto(`${server.url}/console/threads/${id}`)
      await page.locator('article').first().waitFor()
      tabs.push(page)
    }

    for (const page of tabs)
      expect(await page.evaluate(async () => (await fetch('/health')).status)).toBe(200)
    gate.resolve()

    for (const page of tabs) await page.getByText('We are there.').waitFor()
  })
})

/** Starts the chats, and opens each of them in one page, which still reaches its server. Returns their ids. */
async function showEach(page: Page, { url }: TestServer): Promise<readonly string[]> {
  const ids: string[] = []
  for (let count = 0; count < CHATS; count++) ids.push(await startChat(url, `chat ${count}`))
  for (const id of ids) {
    await page.locator(`a[href$="${id}"]`).first().click()
    await page.locator('article').first().waitFor()
  }
  const answered = await page.evaluate(async () => (await fetch('/health')).status)
  expect(answered).toBe(200)
  return ids
}

/** A chat whose run waits or works, and that has no reader. */
async function startChat(url: string, message: string): Promise<string> {
  const headers = { 'content-type': 'application/json' }
  const created = await fetch(`${url}/v1/threads`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ agent: 'jobs' }),
  })
  const { id } = (await created.json()) as { id: string }
  const started = await fetch(`${url}/v1/threads/${id}/runs`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ message }),
  })
  for await (const text of started.body?.pipeThrough(new TextDecoderStream()) ?? [])
    if (/run\.waiting|tool\.executing/.test(text)) break
  return id
}
