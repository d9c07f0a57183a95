import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'

import { cutLine } from '../support/cut-line.ts'
import { gate } from '../support/gate.ts'
import { client } from '../support/http.ts'
import { calls, linesOf, says, scriptedModel, step, thinks, type Script } from '../support/scripted-model.ts'
import { openServer } from '../support/server.ts'
import { weather } from '../support/story-tools.ts'
import { builtExample } from './example.ts'

const ride = { ...weather, name: 'ride', needsApproval: () => true }

describe('the use-chat example in a browser', () => {
  const example = builtExample('use-chat')

  /** The page, served as Vite does, before a server whose model follows the script. */
  async function opened(script: Script) {
    const { models, prompts } = scriptedModel(script)
    const server = await openServer({ models, tools: [weather, ride] })
    const site = await example.serve('/jobs/', server.url)
    const line = await cutLine(site.url)
    const page = await example.newPage()
    await page.goto(`${line.url}/#chat-1`)
    return {
      page,
      prompts,
      line,
      json: client(server).json,
      async [Symbol.asyncDispose]() {
        await page.close()
        await line[Symbol.asyncDispose]()
        await site.close()
        await server[Symbol.asyncDispose]()
      },
    }
  }

  async function send(page: Page, words: string): Promise<void> {
    await page.getByLabel('Message').fill(words)
    await page.getByRole('button', { name: 'Send' }).click()
  }

  /** Waits until the page shows exactly that. */
  const shows = (page: Page, turns: readonly (readonly [string, string])[]): Promise<void> =>
    expect.poll(() => articlesOf(page), { timeout: 10_000 }).toEqual(turns)

  it('shows text, reasoning and tools', async () => {
    await using chat = await opened([
      step(thinks('Oslo it is.'), calls('c1', 'weather', { city: 'Oslo' })),
      step(says('It rains ', 'in Oslo.')),
    ])

    await send(chat.page, 'How is Oslo?')

    await shows(chat.page, [
      ['user', 'How is Oslo?'],
      ['assistant', 'It rains in Oslo.'],
    ])
    const tool = chat.page.locator('.tool')
    expect(await tool.locator('summary').innerText()).toBe('weather done')
    await tool.locator('summary').click()
    expect(await tool.innerText()).toContain('{"city":"Oslo","sky":"rain"}')
    await chat.page.getByText('Thoughts').click()
    expect(await chat.page.getByText('Oslo it is.').isVisible()).toBe(true)
  })

  it('asks for an approval, also after a reload, and runs the tool once', async () => {
    await using chat = await opened([
      step(calls('c1', 'ride', { city: 'Oslo' })),
      step(says('We are in Oslo.')),
    ])
    await send(chat.page, 'Take me to Oslo')
    const yes = chat.page.getByRole('button', { name: 'Yes' })
    await yes.waitFor()
    await chat.page.reload()
    expect(await chat.page.locator('.question').innerText()).toContain('Run ride with {"city":"Oslo"}?')

    await yes.click()

    await shows(chat.page, [
      ['user', 'Take me to Oslo'],
      ['assistant', 'We are in Oslo.'],
    ])
    expect(await chat.page.locator('.tool summary').innerText()).toBe('ride done')
    expect(await yes.count()).toBe(0)
  })

  it('shows Chinese in both directions', async () => {
    await using chat = await opened([step(says('找到', '一个职位。'))])

    await send(chat.page, '帮我搜索软件工程师职位')

    await shows(chat.page, [
      ['user', '帮我搜索软件工程师职位'],
      ['assistant', '找到一个职位。'],
    ])
    expect(linesOf(chat.prompts[0])).toEqual(['user: 帮我搜索软件工程师职位'])
  })

  it('resumes the answer once after a reload', async () => {
    const held = gate()
    await using chat = await opened([step(says('First.')), step(says('It rains', held, ' in Oslo.'))])
    await send(chat.page, 'One')
    await shows(chat.page, [
      ['user', 'One'],
      ['assistant', 'First.'],
    ])
    await send(chat.page, 'Two')
    await chat.page.getByText('It rains').waitFor()

    await chat.page.reload()
    await chat.page.getByText('It rains').waitFor()
    held.open()

    const whole = [
      ['user', 'One'],
      ['assistant', 'First.'],
      ['user', 'Two'],
      ['assistant', 'It rains in Oslo.'],
    ] as const
    await shows(chat.page, whole)
    expect(chat.prompts).toHaveLength(2)
    await chat.page.reload()
    await shows(chat.page, whole)
  })

  it('resumes the answer after a broken connection', async () => {
    const held = gate()
    await using chat = await opened([step(says('It rains', held, ' in 火星 and Oslo.'))])
    await send(chat.page, 'Go')
    await chat.page.getByText('It rains').waitFor()
    const before = chat.line.connections

    chat.line.cut()
    await expect.poll(() => chat.line.connections).toBeGreaterThan(before)
    held.open()

    await shows(chat.page, [
      ['user', 'Go'],
      ['assistant', 'It rains in 火星 and Oslo.'],
    ])
    expect(await chat.page.getByRole('alert').count()).toBe(0)
    expect(await chat.page.getByRole('button', { name: 'Send' }).isVisible()).toBe(true)
  })

  it('stops the run on the server and keeps the text', async () => {
    const held = gate()
    await using chat = await opened([step(says('Half', held, ' done.')), step(says('Again.'))])
    await send(chat.page, 'Go')
    await chat.page.getByText('Half').waitFor()

    await chat.page.getByRole('button', { name: 'Stop' }).click()

    await chat.page.getByRole('button', { name: 'Send' }).waitFor()
    const turns = [
      ['user', 'Go'],
      ['assistant', 'Half'],
    ] as const
    await shows(chat.page, turns)
    const { body } = await chat.json('GET', '/v1/threads/chat-1/messages')
    expect(body['messages']).toMatchObject([{ role: 'user' }, { role: 'assistant', status: 'cancelled' }])
    await chat.page.reload()
    await shows(chat.page, turns)
    await send(chat.page, 'Once more')
    await shows(chat.page, [...turns, ['user', 'Once more'], ['assistant', 'Again.']])
  })

  it('opens another chat', async () => {
    await using chat = await opened([step(says('First.'))])
    await send(chat.page, 'One')
    await chat.page.getByText('First.').waitFor()

    await chat.page.getByText('New chat').click()

    await shows(chat.page, [])
    expect(new URL(chat.page.url()).hash).not.toBe('#chat-1')
  })
})

/** Who says what, all of it at one moment. */
function articlesOf(page: Page): Promise<[string, string][]> {
  return page.locator('article').evaluateAll((articles) =>
    articles.map((article) => {
      const words = Array.from<{ textContent: string }>(article.querySelectorAll(':scope > p'))
      return [article.className, words.map(({ textContent }) => textContent).join('\n')]
    }),
  )
}
