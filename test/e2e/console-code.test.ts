import { describe, expect, it } from 'vitest'

import { says, scriptedModel, step } from '../support/scripted-model.ts'
import { consoleBrowser, openConsole, sendMessage } from './console.ts'

const FENCE = '```'
const CODE = 'let x = 1\nconst name = "y"'
const colors = (language: string) => `pre code span[style*="color"]:text("${language}")`

describe('code in the console', () => {
  const browser = consoleBrowser()
  const openWith = (...blocks: readonly string[]) =>
    openConsole({ models: scriptedModel([step(says([...blocks, 'The end.'].join('\n\n')))]).models })

  it('gets its colors from a worker, one for all blocks, if its language is known', async () => {
    const blocks = [`${FENCE}js\n${CODE}\n${FENCE}`, `${FENCE}nolang\n${CODE}\n${FENCE}`]
    await using server = await openWith(...blocks, `${FENCE}python\ndef f(): pass\n${FENCE}`)
    await using chat = await browser.open(server.url)
    const { page } = chat
    await sendMessage(page, 'Write')
    await page.locator(colors('let')).waitFor()
    await page.locator(colors('def')).waitFor()

    const first = page.locator('pre code').first()
    expect(await first.innerText()).toBe(CODE)
    const inks = await first
      .locator('span[style*="color"]')
      .evaluateAll((spans) => [...new Set(spans.map((span) => span.getAttribute('style')))])
    // Keywords, names, numbers, texts: the time that the grammar takes ends no line.
    expect(inks.length).toBeGreaterThanOrEqual(4)
    expect(await page.locator('pre code').nth(1).locator('span').count()).toBe(0)
    expect(page.workers()).toHaveLength(1)
  })

  it('has no colors in a browser without workers', async () => {
    await using server = await openWith(`${FENCE}js\n${CODE}\n${FENCE}`)
    await using chat = await browser.open('about:blank')
    const { page } = chat
    await page.addInitScript('delete window.Worker')
    await page.goto(server.url)
    await sendMessage(page, 'Write')
    await page.getByText('The end.').waitFor()

    expect(await page.locator('pre code').allInnerTexts()).toEqual([CODE])
    expect(await page.locator('pre code span').count()).toBe(0)
  })
})
