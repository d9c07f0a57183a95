import { describe, expect, it } from 'vitest'

import { consoleFolder } from '../../packages/console/src/index.ts'
import { BACKED_UP_TEXT, LAST_LOST, NEW_TEXT, openRestoredServer } from '../support/restored-server.ts'
import { consoleBrowser, messagesOf, sendMessage } from './console.ts'

describe('the console of a server that is restored to an earlier point', () => {
  const browser = consoleBrowser()

  it('shows what the run has now, in place of what was lost', async () => {
    await using server = await openRestoredServer({ plugins: [{ name: 'console', page: consoleFolder }] })
    await using chat = await browser.open(server.line.url)
    const { page } = chat
    await sendMessage(page, 'Go.')
    await server.backUp()
    await page.getByText(LAST_LOST).waitFor()

    await server.restore()
    await page.getByText(NEW_TEXT.trim()).waitFor()
    await page.getByRole('button', { name: 'Answer again' }).waitFor()

    const texts = (await messagesOf(page)).join(' ').replaceAll(/\s+/g, ' ')
    expect(texts).toBe(`Go. ${BACKED_UP_TEXT}${NEW_TEXT}`.trim())
  })
})
