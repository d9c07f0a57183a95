import { AxeBuilder } from '@axe-core/playwright'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'

import { consoleFolder } from '../../packages/console/src/index.ts'
import { openServer, type ServerOptions, type TestServer } from '../support/server.ts'
import { openBrowser } from './browser.ts'

/** A browser for the tests of a file. What a page reports as an error fails the test that opened it. */
export function consoleBrowser() {
  let browser: Browser
  beforeAll(async () => {
    browser = await openBrowser()
  }, 60_000)
  afterAll(() => browser.close())
  return {
    /** A page in a browser of its own: no cookie and no setting of another one. */
    async open(url: string, options: BrowserContextOptions = {}) {
      const context = await browser.newContext({ locale: 'en-US', ...options })
      const page = await context.newPage()
      const errors: string[] = []
      page.on('pageerror', (error) => errors.push(error.message))
      await page.goto(url)
      return {
        page,
        context,
        async [Symbol.asyncDispose]() {
          await context.close()
          expect(errors).toEqual([])
        },
      }
    },
  }
}

/** The server with the console, and an agent that follows a script. */
export function openConsole(options: ServerOptions): Promise<TestServer> {
  return openServer({ ...options, plugins: [{ name: 'console', page: consoleFolder }] })
}

export async function sendMessage(page: Page, text: string): Promise<void> {
  await page.getByTestId('chat-input').fill(text)
  await page.getByTestId('send-button').click()
}

/** The texts of all messages in sight, in order. */
export function messagesOf(page: Page): Promise<string[]> {
  return page.locator('article').evaluateAll((articles) =>
    articles.map((article) => {
      const texts = [...article.querySelectorAll('.bubble, .message > .markdown')]
      return texts.map(({ textContent }) => textContent.trim()).join(' ')
    }),
  )
}

export async function expectMessages(page: Page, messages: readonly string[]): Promise<void> {
  await expect.poll(() => messagesOf(page), { timeout: 15_000 }).toEqual(messages)
}

/** What the rules of WCAG 2 A and AA find wrong with a page. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page })
    // In the page itself: it has no frames of others.
    .setLegacyMode()
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'])
    .analyze()
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`))
}
