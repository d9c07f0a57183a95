import { describe, expect, it } from 'vitest'

import { says, scriptedModel, step } from '../support/scripted-model.ts'
import { accessibilityFaults, consoleBrowser, openConsole, sendMessage } from './console.ts'

describe('the console’s page to operate the server', () => {
  const browser = consoleBrowser()

  it('shows runs, usage, agents and findings, and manages tokens', async () => {
    const { models } = scriptedModel([step(says('Hello.'))])
    await using server = await openConsole({
      models,
      capability: { doctor: async () => [{ level: 'note', text: 'The disk is slow.' }] },
    })
    await using chat = await browser.open(server.url)
    const { page } = chat
    await sendMessage(page, 'Hi')
    await page.getByText('Hello.').waitFor()

    await page.getByRole('link', { name: 'Operate' }).click()

    const part = (name: string) => page.getByRole('region', { name, exact: true }).first()
    await part('Runs').getByText('Finished').waitFor()
    await part('Usage in 30 days').getByText('1 run · 0 tool calls').waitFor()
    await part('Quotas').getByText('Nothing is limited.').waitFor()
    await part('Server').getByText('The disk is slow.').waitFor()
    await part('Load')
      .getByRole('row', { name: /^Requests \d+ \/ 512 / })
      .waitFor()
    await part('Users')
      .getByRole('row', { name: /^local 0 1 / })
      .waitFor()
    const tokens = part('Tokens')
    await tokens.getByLabel('Name, such as phone').fill('phone')
    await tokens.getByLabel('User, such as ada (empty: the owner)').fill('ada')
    await tokens.getByRole('button', { name: 'Create a token' }).click()
    const secret = await tokens.locator('.secret').innerText()
    const asAda = { headers: { authorization: `Bearer ${secret}` } }
    expect(await (await fetch(`${server.url}/auth/verify`, asAda)).json()).toMatchObject({ user: 'ada' })
    expect(await accessibilityFaults(page)).toEqual([])
    page.once('dialog', (dialog) => void dialog.accept())

    await tokens.getByRole('button', { name: 'Revoke phone' }).click()

    await tokens.getByText('There are no tokens.').waitFor()
    expect(await (await fetch(`${server.url}/auth/verify`, asAda)).json()).toMatchObject({ valid: false })
    await part('Runs').getByRole('link', { name: 'Open the conversation' }).click()
    await page.getByText('Hello.').waitFor()
  })

  it('hides what belongs to the owner from other users', async () => {
    await using server = await openConsole({ models: scriptedModel().models })
    const created = await fetch(`${server.url}/v1/tokens`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'phone', user: 'ada' }),
    })
    const { secret } = (await created.json()) as { secret: string }
    await using chat = await browser.open(`${server.url}/console/operate`, {
      extraHTTPHeaders: { authorization: `Bearer ${secret}` },
    })
    const { page } = chat

    await page.getByText('No runs yet.').waitFor()

    await expect
      .poll(() => page.locator('.report h2').allInnerTexts())
      .toEqual(['Runs', 'Usage in 30 days', 'Quotas', 'Agents and models'])
  })
})
