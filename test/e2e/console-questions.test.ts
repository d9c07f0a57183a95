import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'

import { defineTool } from '../../packages/dragoman/src/index.ts'
import { calls, says, scriptedModel, step, type Script } from '../support/scripted-model.ts'
import type { TestServer } from '../support/server.ts'
import { weather } from '../support/story-tools.ts'
import { accessibilityFaults, consoleBrowser, openConsole, sendMessage } from './console.ts'

const write = defineTool({
  name: 'write',
  description: 'Writes a file.',
  inputSchema: z.object({ content: z.string() }),
  needsApproval: true,
  preview: ({ content }) => ({
    title: 'src/\u202eas.txt',
    format: 'diff',
    text: `--- a\n+++ b\n@@ -1,2 +1,2 @@\n same\n-old\r\n+${content}\n`,
    ...(content.length > 20 && { isCut: true as const }),
  }),
  execute: () => 'Written.',
})
const ride = { ...weather, name: 'ride', needsApproval: () => true }

describe('the console’s questions', () => {
  const browser = consoleBrowser()

  async function openScripted(script: Script): Promise<TestServer> {
    return openConsole({ models: scriptedModel(script).models, tools: [ride] })
  }

  it('show all that they approve, with what is not seen as escapes', async () => {
    await using server = await openScripted([
      step(calls('c1', 'ride', { city: 'Oslo \u202e\u2066; rm\u200b \u2069' })),
    ])
    await using chat = await browser.open(server.url)
    const { page } = chat
    await sendMessage(page, 'Go')
    const visibleCity = 'Oslo \\u202e\\u2066; rm\\u200b \\u2069'

    const input = page.getByLabel('All of the input').getByText(visibleCity, { exact: true })
    await input.waitFor()
    await page.getByRole('link', { name: /Inbox/ }).click()
    await page.getByRole('heading', { name: 'Inbox' }).waitFor()
    await input.waitFor()

    await expect.poll(() => page.getByRole('button', { name: 'Allow' }).isEnabled()).toBe(true)
    expect(await accessibilityFaults(page)).toEqual([])
  })

  it('show what the tool says of its call, above the input', async () => {
    const script = [
      step(calls('c1', 'write', { content: `new\u200b ${'行'.repeat(60)}` })),
      step(says('Done.')),
    ]
    await using server = await openConsole({ models: scriptedModel(script).models, tools: [write] })
    await using chat = await browser.open(server.url, { viewport: { width: 340, height: 900 } })
    const { page } = chat
    await sendMessage(page, 'Go')
    const input = page.getByLabel('All of the input')
    await input.getByText('src/\\u202eas.txt').waitFor()

    expect(await input.locator('.removed').innerText()).toBe('-old\\u000d')
    expect(await input.locator('.added').innerText()).toBe(`+new\\u200b ${'行'.repeat(60)}`)
    await input.getByText('The change is longer than what can be shown here.').waitFor()
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(340)
    expect(await accessibilityFaults(page)).toEqual([])
    await page.goto(`${server.url}/console/inbox`)
    await input.getByText('What would change').waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'Allow' }).isEnabled()).toBe(true)
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await page.getByText('The change above is that of the input as the agent wrote it.').waitFor()
  })

  const filler = '# checks the project\n'.repeat(120)
  const command = `touch FIRST\n${filler}touch MIDDLE\n${filler}touch LAST`
  const wide = { width: 1100, height: 800 }
  const narrow = { width: 340, height: 560 }

  it.each([
    { where: 'conversation', size: wide },
    { where: 'conversation', size: narrow },
    { where: 'inbox', size: wide },
    { where: 'inbox', size: narrow },
  ])(
    'open at their start in the $where, $size.width wide, and can be allowed when each line was in view',
    async ({ where, size }) => {
      await using server = await openScripted([
        step(says('I look.\n\n'.repeat(60)), calls('c1', 'ride', { city: command })),
        step(says('We are there.')),
      ])
      await using chat = await browser.open(server.url, { viewport: size })
      const { page } = chat
      await sendMessage(page, 'Go')
      const allow = page.getByRole('button', { name: 'Allow' })
      await allow.waitFor()
      if (where === 'inbox') await page.goto(`${server.url}/console/inbox`)
      const mark = page.getByText(/\d+ lines not seen yet/)

      await expect.poll(() => wordsInSight(page)).toEqual(['FIRST'])
      expect(await isMarkInSight(page)).toBe(true)
      const linesAtStart = await linesLeft(mark)
      await page.getByRole('region', { name: 'All of the input' }).focus()
      await page.keyboard.press('End')
      await expect.poll(() => wordsInSight(page)).toEqual(['LAST'])
      await expect.poll(() => linesLeft(mark)).toBeLessThan(linesAtStart)
      expect(await isMarkInSight(page)).toBe(true)
      expect(await allow.isEnabled()).toBe(false)
      expect(await accessibilityFaults(page)).toEqual([])

      const next = page.getByRole('button', { name: 'Show them' })
      const linesAtEnd = await linesLeft(mark)
      await next.click()
      await page.keyboard.press('PageDown')
      await expect.poll(() => linesLeft(mark)).toBeLessThan(linesAtEnd)
      const showNext = async (): Promise<boolean> => {
        await page.evaluate("document.querySelector('.question-mark button')?.click()")
        return allow.isEnabled()
      }
      await expect.poll(showNext, { interval: 300, timeout: 40_000 }).toBe(true)
      await page.getByText('All of the input has been in view.').first().waitFor()
      await allow.click()

      await page.getByText(where === 'inbox' ? 'Nothing waits for you.' : 'We are there.').waitFor()
    },
    60_000,
  )
})

/** The number in the mark; 0 when it is gone. */
async function linesLeft(mark: Locator): Promise<number> {
  const [text = '0'] = await mark.allInnerTexts()
  return Number.parseInt(text)
}

/** Which of the words of the command are drawn: not scrolled away and not covered. */
function wordsInSight(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`(() => {
    const text = document.querySelector('.question-text bdo')?.firstChild
    return text ? ['FIRST', 'MIDDLE', 'LAST'].filter((word) => {
      const range = new Range()
      range.setStart(text, text.data.indexOf(word))
      range.setEnd(text, text.data.indexOf(word) + word.length)
      const { left, right, top, bottom } = range.getBoundingClientRect()
      return document.elementFromPoint((left + right) / 2, (top + bottom) / 2) === text.parentElement
    }) : []
  })()`)
}

function isMarkInSight(page: Page): Promise<boolean> {
  return page.evaluate<boolean>(`(() => {
    const mark = document.querySelector('.question-mark')
    const { left, top, width, height } = mark.getBoundingClientRect()
    return mark.contains(document.elementFromPoint(left + width / 2, top + height / 2))
  })()`)
}

describe('a text that Markdown cannot take', () => {
  const browser = consoleBrowser()

  it.each([
    ['1,200 lists', `${'- '.repeat(1200)}x`],
    ['2,500 quotations', '> '.repeat(2500)],
    ['1,500 columns', `${'|a'.repeat(1500)}|\n${'|-'.repeat(1500)}|\n`],
    ['endless emphasis', '*a **b '.repeat(4000)],
    ['a line of code of 28 kB', `\`\`\`markdown\n${'*a **b '.repeat(4000)}\n\`\`\``],
  ])('of %s is shown, can be left and deleted', async (_what, text) => {
    await using server = await openConsole({ models: scriptedModel([step(says(text))]).models, tools: [] })
    await using chat = await browser.open(server.url)
    const { page } = chat
    await sendMessage(page, 'Say it')
    await page.getByTestId('assistant-message').waitFor()

    await page.reload()
    await page.getByTestId('assistant-message').waitFor()
    await page.getByRole('link', { name: /Inbox/ }).click()

    await page.getByText('Nothing waits for you.').waitFor()
  })
})
