import { describe, expect, it } from 'vitest'

import { cutLine } from '../support/cut-line.ts'
import { gate } from '../support/gate.ts'
import { calls, says, scriptedModel, step, thinks, type Script } from '../support/scripted-model.ts'
import type { TestServer } from '../support/server.ts'
import { weather } from '../support/story-tools.ts'
import { consoleBrowser, expectMessages, messagesOf, openConsole, sendMessage } from './console.ts'

const ride = { ...weather, name: 'ride', needsApproval: () => true }

describe('the console’s chat', () => {
  const browser = consoleBrowser()

  async function openScripted(script: Script): Promise<TestServer> {
    return openConsole({ models: scriptedModel(script).models, tools: [weather, ride] })
  }

  it('shows reasoning, tools and Markdown, and the same after a reload', async () => {
    await using server = await openScripted([
      step(thinks('Oslo it is.'), calls('c1', 'weather', { city: 'Oslo' })),
      step(says('It **rains** in Oslo:\n\n', '| city | sky |\n| - | - |\n| Oslo | grey |')),
    ])
    await using chat = await browser.open(server.url)
    const { page } = chat

    await sendMessage(page, 'How is Oslo?')

    await page.getByRole('cell', { name: 'grey' }).waitFor()
    expect(await page.locator('.markdown strong').innerText()).toBe('rains')
    const tool = page.getByLabel('weather: Done')
    await tool.locator('summary').click()
    await expect.poll(() => tool.innerText()).toContain('"sky": "rain"')
    expect(await page.getByText('Oslo it is.').isVisible()).toBe(false)
    await page.getByText('Reasoning').click()
    expect(await page.getByText('Oslo it is.').isVisible()).toBe(true)
    await page.reload()
    await page.getByRole('cell', { name: 'grey' }).waitFor()
    expect(await page.getByRole('link', { name: 'How is Oslo?' }).isVisible()).toBe(true)
  })

  it('continues the same answer in a second tab and after a lost connection, and says so', async () => {
    const rest = gate()
    await using server = await openScripted([step(says('One, '), [rest], says('two.'))])
    await using line = await cutLine(server.url)
    await using first = await browser.open(line.url)
    await sendMessage(first.page, 'Count')
    await expectMessages(first.page, ['Count', 'One,'])
    const second = await first.context.newPage()
    await second.goto(first.page.url())
    await expectMessages(second, ['Count', 'One,'])

    line.lead(undefined)
    line.cut()
    await first.page.getByText('Connection lost.').waitFor()
    line.lead(server.url)
    await first.page.getByText('The same answer continues.').waitFor()
    rest.open()

    for (const page of [first.page, second]) await expectMessages(page, ['Count', 'One, two.'])
  })

  it('asks for an approval in the chat and in the inbox, and runs the tool once', async () => {
    await using server = await openScripted([
      step(calls('c1', 'ride', { city: 'Oslo' })),
      step(says('We are in Oslo.')),
    ])
    await using chat = await browser.open(server.url)
    const { page } = chat
    await sendMessage(page, 'Take me to Oslo')
    await page.getByRole('button', { name: 'Allow' }).waitFor()
    await page.getByRole('link', { name: /Inbox/ }).click()
    expect(await page.getByLabel('1 open question').innerText()).toBe('1')

    await page.getByRole('button', { name: 'Allow' }).click()

    await page.getByText('Nothing waits for you.').waitFor()
    await page.getByRole('link', { name: 'Take me to Oslo' }).click()
    await expectMessages(page, ['Take me to Oslo', 'We are in Oslo.'])
  })

  it('stops an answer, and queues a message behind another one', async () => {
    const rest = gate()
    await using server = await openScripted([
      step(says('One, '), [rest], says('two.')),
      step(says('Answered.')),
      step(says('Endless'), [gate()]),
    ])
    await using chat = await browser.open(server.url)
    const { page } = chat
    await sendMessage(page, 'Count')
    await expectMessages(page, ['Count', 'One,'])

    await sendMessage(page, 'And then?')
    await page.getByText('Queued').waitFor()
    rest.open()
    await expectMessages(page, ['Count', 'One, two.', 'And then?', 'Answered.'])
    await sendMessage(page, 'Go on')
    await expectMessages(page, ['Count', 'One, two.', 'And then?', 'Answered.', 'Go on', 'Endless'])
    await page.getByTestId('stop-button').click()

    await page.getByText('Stopped.').waitFor()
    await page.getByTestId('stop-button').waitFor({ state: 'detached' })
  })

  it('makes branches of an edited message and of another answer', async () => {
    await using server = await openScripted([
      step(says('First.')),
      step(says('Second.')),
      step(says('Third.')),
    ])
    await using chat = await browser.open(server.url)
    const { page } = chat
    await sendMessage(page, 'Hello')
    await expectMessages(page, ['Hello', 'First.'])

    await page.getByRole('button', { name: 'Answer again' }).click()
    await expectMessages(page, ['Hello', 'Second.'])
    await page.getByLabel('Your message').hover()
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel('Edit').fill('Good evening')
    await page.locator('.message-editor').getByRole('button', { name: 'Send' }).click()
    await expectMessages(page, ['Good evening', 'Third.'])
    await page.getByLabel('Your message').hover()
    await page.getByRole('button', { name: 'Previous version' }).first().click()
    await expectMessages(page, ['Hello', 'Second.'])
    await page.getByRole('button', { name: 'Previous version' }).last().click()

    await expectMessages(page, ['Hello', 'First.'])
  })

  it('keeps a message that could not be sent, and sends it once', async () => {
    await using server = await openScripted([step(says('Hello.')), step(says('Still here.'))])
    await using line = await cutLine(server.url)
    await using chat = await browser.open(line.url)
    const { page } = chat
    await sendMessage(page, 'Hello?')
    await expectMessages(page, ['Hello?', 'Hello.'])
    line.lead(undefined)
    line.cut()

    await sendMessage(page, 'Anyone?')
    await page.getByText('Not sent:').waitFor()
    line.lead(server.url)
    await page.getByRole('button', { name: 'Try again' }).click()

    await expectMessages(page, ['Hello?', 'Hello.', 'Anyone?', 'Still here.'])
  })

  it('shows a message once, also if its answer comes before the server’s receipt', async () => {
    await using server = await openScripted([step(says('Hello.'))])
    await using chat = await browser.open(server.url)
    const { page } = chat
    const receipt = gate()
    await page.route('**/runs', async (route) => {
      const response = await route.fetch()
      await receipt.pass()
      await route.fulfill({ response })
    })
    await sendMessage(page, 'Hello?')
    await page.getByText('Sending').waitFor()

    const messages = page.waitForResponse(async (response) => {
      return response.url().includes('/messages') && (await response.text()).includes('Hello.')
    })
    await page.evaluate("setInterval(() => new BroadcastChannel('dragoman').postMessage('changed'), 200)")
    await messages
    await page.evaluate('new Promise((draw) => requestAnimationFrame(() => requestAnimationFrame(draw)))')

    expect(await messagesOf(page)).toEqual(['Hello?'])
    receipt.open()
    await expectMessages(page, ['Hello?', 'Hello.'])
  })

  it('takes files that are dropped anywhere, and fits a phone with a long title', async () => {
    await using server = await openScripted([step(says('A red dot.'))])
    await using chat = await browser.open(server.url, { viewport: { width: 390, height: 800 } })
    const { page } = chat
    await page.getByTestId('chat-input').waitFor()
    const files = await page.evaluateHandle(`{
      const transfer = new DataTransfer()
      transfer.items.add(new File(['Dear reader'], 'letter.txt', { type: 'text/plain' }))
      transfer
    }`)
    await page.dispatchEvent('main', 'drop', { dataTransfer: files })
    await page.getByText('letter.txt').waitFor()

    await sendMessage(page, 'What is in this letter, of which the name is much longer than the page is wide?')
    await page.getByText('A red dot.').waitFor()

    expect(await page.locator('.bubble .attachment').innerText()).toBe('letter.txt')
    const width = await page.evaluate('document.documentElement.scrollWidth')
    expect(width).toBe(390)
  })

  it('says that a conversation is gone', async () => {
    await using server = await openScripted([])
    await using chat = await browser.open(`${server.url}/console/threads/conv_nowhere00000`)

    await chat.page.getByText('There is no such conversation.').waitFor()

    await chat.page.getByTestId('chat-input').waitFor({ state: 'detached' })
    await expect.poll(() => chat.page.title()).toBe('Page not found · dragoman')
  })
})
