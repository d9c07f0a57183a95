import type { LanguageModelV4, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'

import { ServiceError, type Models } from '../../packages/dragoman/src/index.ts'
import { says, scriptedModel, step } from '../support/scripted-model.ts'
import { consoleBrowser, openConsole, sendMessage } from './console.ts'

const LINES = 60

/** A model that goes on with as many lines again once the gate is open. */
function twoPartModel(gate: Promise<void>): Models {
  function* lines(first: number): Generator<LanguageModelV4StreamPart> {
    for (let count = first; count < first + LINES; count++)
      yield { type: 'text-delta', id: 't', delta: `Line ${count}.\n\n` }
  }
  async function* answer(): AsyncGenerator<LanguageModelV4StreamPart> {
    yield { type: 'stream-start', warnings: [] }
    yield { type: 'text-start', id: 't' }
    yield* lines(1)
    await gate
    yield* lines(LINES + 1)
    yield { type: 'text-end', id: 't' }
    yield { type: 'finish', finishReason: { unified: 'stop', raw: 'stop' }, usage }
  }
  const model: LanguageModelV4 = {
    specificationVersion: 'v4',
    provider: 'test',
    modelId: 'lines',
    supportedUrls: {},
    doStream: async () => ({ stream: ReadableStream.from(answer()) }),
    doGenerate: () => Promise.reject(new Error('It streams.')),
  }
  const failure = (error: unknown) =>
    error instanceof ServiceError ? error : new ServiceError('model-failed', 'It failed.')
  return { choose: () => ({ name: 'test:lines', why: 'It is the test.', load: async () => model, failure }) }
}

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 1, text: 1, reasoning: undefined },
}

const distanceFromEnd = (page: Page): Promise<number> =>
  page.locator('.message-scroll').evaluate((list) => list.scrollHeight - list.scrollTop - list.clientHeight)

describe('the console', () => {
  const browser = consoleBrowser()

  it('lets a small movement of the wheel leave the end of an answer that grows, and follows it again', async () => {
    const gate = Promise.withResolvers<void>()
    await using server = await openConsole({ models: twoPartModel(gate.promise) })
    await using chat = await browser.open(server.url)
    const { page } = chat
    await sendMessage(page, 'Go')
    await page.getByText(`Line ${LINES}.`, { exact: true }).waitFor()
    await expect.poll(() => distanceFromEnd(page)).toBeLessThan(1)

    await page.locator('.message-scroll').hover()
    await page.mouse.wheel(0, -8)
    await expect.poll(() => distanceFromEnd(page)).toBeGreaterThan(1)
    gate.resolve()
    await expect.poll(() => distanceFromEnd(page)).toBeGreaterThan(400)

    await page.getByRole('button', { name: 'To the latest message' }).click()
    await expect.poll(() => distanceFromEnd(page)).toBeLessThan(80)
  })

  it('sends nothing with the Enter that ends a composition in Safari', async () => {
    await using server = await openConsole({ models: scriptedModel([step(says('Right.'))]).models })
    await using chat = await browser.open(server.url)
    const { page } = chat
    const field = page.getByTestId('chat-input')
    await field.fill('你好')

    // It tells of the key after the end of the composition. https://bugs.webkit.org/show_bug.cgi?id=165004
    await field.dispatchEvent('keydown', { key: 'Enter', keyCode: 229, bubbles: true, cancelable: true })
    expect(await field.inputValue()).toBe('你好')
    await field.press('Enter')

    await page.getByText('Right.').waitFor()
  })

  it('shows Arabic from the right, and code from the left', async () => {
    const answer = 'مرحبا بالعالم.\n\n- واحد\n- اثنان\n\n```js\nf()\n```\n\nHello.'
    await using server = await openConsole({ models: scriptedModel([step(says(answer))]).models })
    await using chat = await browser.open(server.url)
    const { page } = chat
    await sendMessage(page, 'السلام عليكم')
    await page.getByText('Hello.').waitFor()
    const parts = '.bubble, .markdown > p, .markdown > ul, .markdown > figure'
    const directions = await page.evaluate(
      `[...document.querySelectorAll('${parts}')].map((part) => getComputedStyle(part).direction)`,
    )

    expect(directions).toEqual(['rtl', 'rtl', 'rtl', 'ltr', 'ltr'])
  })

  it('is loaded again once where an upgrade has taken the file of a page', async () => {
    await using server = await openConsole({ models: scriptedModel().models })
    await using chat = await browser.open(server.url)
    const { page, context } = chat
    let missing = 1
    await context.route(/operate-page-.*\.js/, (route) =>
      missing-- > 0 ? route.fulfill({ status: 404, body: '' }) : route.continue(),
    )
    await page.getByRole('link', { name: 'Operate' }).click()
    await page.getByRole('heading', { name: 'Operate' }).first().waitFor()
    expect(missing).toBeLessThan(0)

    await context.route(/inspector-page-.*\.js/, (route) => route.fulfill({ status: 404, body: '' }))
    await page.getByRole('link', { name: 'Run inspector' }).click()
    await page.getByRole('button', { name: 'Load again' }).waitFor()
  })
})
