import { describe, expect, it } from 'vitest'

import { accessibilityFaults, consoleBrowser, openConsole, sendMessage } from '../../../test/e2e/console.ts'
import { life } from '../src/index.ts'

describe('the cards of life in the console', () => {
  const browser = consoleBrowser()

  it('ask for the birth in a form, and show the chart in the language of the page', async () => {
    await using server = await openConsole({ agents: [life], env: { DRAGOMAN_OFFLINE_PACE: '0' } })
    await using chat = await browser.open(server.url)
    const { page } = chat
    await page.locator('.life-greeting').getByText('neither science nor prediction').waitFor()
    await sendMessage(page, 'Show me my chart')
    const form = page.locator('.life-form')
    await form.waitFor()
    await page.getByTestId('stop-button').waitFor({ state: 'detached' })
    await form.getByLabel('Date of birth').fill('1990-05-15')
    await form.getByLabel('Time of birth').fill('14:30')
    await form.getByLabel('Place of birth').fill('Chengdu, China')
    await form.getByLabel('Gender').selectOption('female')

    await form.getByRole('button', { name: 'Send' }).click()

    const chart = page.locator('.life-chart')
    await chart.getByRole('heading', { name: 'Day master: Geng (yang metal)' }).waitFor()
    expect(await chart.locator('.life-pillars > div').allInnerTexts()).toEqual([
      expect.stringMatching(/^Hour\s+Hurting Officer\s+癸\s+Gui\s+未\s+Wei/),
      expect.stringMatching(/^Day\s+Day Master\s+庚\s+Geng\s+辰\s+Chen/),
      expect.stringMatching(/^Month\s+Rob Wealth\s+辛\s+Xin\s+巳\s+Si/),
      expect.stringMatching(/^Year\s+Friend\s+庚\s+Geng\s+午\s+Wu/),
    ])
    expect(await chart.locator('[aria-current="date"]').count()).toBe(1)
    await page.getByTestId('stop-button').waitFor({ state: 'detached' })
    expect(await accessibilityFaults(page)).toEqual([])
    // An old form would replace what has been entered since. The list has only what is in sight.
    await page.locator('.message-scroll').hover()
    await page.mouse.wheel(0, -10_000)
    await form.locator('button[type="submit"]:disabled').waitFor()
    await page.mouse.wheel(0, 10_000)
    await page.getByRole('button', { name: 'Settings' }).click()
    await page.getByRole('menuitemradio', { name: '中文' }).click()
    await chart.getByRole('heading', { name: '日主：阳金' }).waitFor()
  })
})
