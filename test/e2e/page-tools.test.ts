import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'

import { z } from 'zod'

import { defineTool, toolResult } from '../../packages/dragoman/src/index.ts'
import { gate } from '../support/gate.ts'
import { calls, says, scriptedModel, step, type Script } from '../support/scripted-model.ts'
import { openServer } from '../support/server.ts'
import { builtExample } from './example.ts'
import { isFull } from '../support/is-full.ts'

const show = defineTool({
  name: 'show',
  description: 'Changes what the page shows.',
  inputSchema: z.object({ show: z.string() }),
  async execute({ show: value }, { state }) {
    state.change([{ op: 'replace', path: '/show', value }])
    return toolResult({ output: null, text: 'It is shown.' })
  },
})

describe.runIf(isFull)('the page-tools example in a browser', () => {
  const example = builtExample('page-tools')

  /** The page, served as Vite does, before a server whose assistant follows the script. */
  async function opened(script: Script) {
    const { models, prompts } = scriptedModel(script)
    const server = await openServer({ models, tools: [show], agent: { id: 'assistant' } })
    const site = await example.serve('/copilotkit/', server.url)
    const page = await example.newPage()
    const warned: string[] = []
    page.on('console', (message) => {
      if (['warning', 'error'].includes(message.type())) warned.push(message.text())
    })
    page.on('pageerror', (error) => void warned.push(error.message))
    await page.goto(`${site.url}#chat-1`)
    return {
      page,
      prompts,
      warned,
      async [Symbol.asyncDispose]() {
        await page.close()
        await site.close()
        await server[Symbol.asyncDispose]()
      },
    }
  }

  async function send(page: Page, words: string): Promise<void> {
    await page.getByTestId('chat-input').fill(words)
    await page.getByTestId('send-button').click()
  }

  const answers = (page: Page): Promise<string[]> => page.getByTestId('assistant-message').allInnerTexts()
  const todos = (page: Page): Promise<string[]> => page.locator('.list li').allInnerTexts()
  const answered = (page: Page, ...said: readonly string[]): Promise<void> =>
    expect.poll(() => answers(page), { timeout: 10_000 }).toEqual(said)
  const listed = (page: Page, ...titles: readonly string[]): Promise<void> =>
    expect.poll(() => todos(page), { timeout: 10_000 }).toEqual(titles)

  it('shows each word of an answer as it arrives', async () => {
    const gates = [gate(), gate(), gate()]
    await using chat = await opened([
      step(says('One', gates[0] ?? '', ', two', gates[1] ?? '', ', three', gates[2] ?? '', '.')),
    ])

    await send(chat.page, 'Count')

    await answered(chat.page, 'One')
    const took: number[] = []
    for (const [at, said] of ['One, two', 'One, two, three', 'One, two, three.'].entries()) {
      const startedAt = performance.now()
      gates[at]?.open()
      await chat.page.getByText(said, { exact: true }).waitFor()
      took.push(performance.now() - startedAt)
    }
    expect(Math.min(...took)).toBeLessThan(100)
    await answered(chat.page, 'One, two, three.')
    await chat.page.getByTestId('send-button').waitFor()
    expect(chat.warned).toEqual([])
  })

  it('lets the agent use page tools and change the shared state', async () => {
    await using chat = await opened([
      step(says('I add it.'), calls('c1', 'addTodo', { title: 'Buy milk' }), calls('c2', 'listTodos', {})),
      step(calls('c3', 'show', { show: 'open' })),
      step(says('Two are open.')),
    ])

    await send(chat.page, 'Add milk, and show me what is open')

    await answered(chat.page, 'I add it.', 'Two are open.')
    await listed(chat.page, 'Water the plants', 'Buy milk')
    expect(await chat.page.getByRole('button', { pressed: true }).allInnerTexts()).toEqual(['open'])
    expect(JSON.stringify(chat.prompts[1])).toContain('Return the library book')
    await chat.page.reload()
    await answered(chat.page, 'I add it.', 'Two are open.')
    await listed(chat.page, 'Water the plants', 'Buy milk')
    expect(chat.warned).toEqual([])
  })

  it('asks before a removal, also after a reload, and accepts a denial', async () => {
    await using chat = await opened([
      step(calls('c1', 'removeTodo', { title: 'Water the plants' })),
      step(calls('c2', 'removeTodo', { title: 'Return the library book' })),
      step(says('As you like.')),
    ])
    await send(chat.page, 'Remove all')
    await chat.page.getByRole('button', { name: 'Yes' }).waitFor()
    await chat.page.reload()
    await chat.page.getByRole('button', { name: 'Yes' }).waitFor()
    await listed(chat.page, 'Water the plants', 'Return the library book')

    await chat.page.getByRole('button', { name: 'Yes' }).click()
    await listed(chat.page, 'Return the library book')
    await chat.page.getByRole('button', { name: 'No' }).click()

    await answered(chat.page, 'As you like.')
    await listed(chat.page, 'Return the library book')
    expect(await chat.page.getByRole('button', { name: 'Yes' }).count()).toBe(0)
    expect(chat.warned).toEqual([])
  })

  it('resumes an answer after a reload, and stops it', async () => {
    const held = gate()
    await using chat = await opened([step(says('First.')), step(says('Half', held, ' done.'))])
    await send(chat.page, 'One')
    await answered(chat.page, 'First.')
    await send(chat.page, 'Two')
    await answered(chat.page, 'First.', 'Half')

    await chat.page.reload()
    await answered(chat.page, 'First.', 'Half')
    await chat.page.getByRole('button', { name: 'Stop' }).click()

    await chat.page.getByTestId('send-button').waitFor()
    await answered(chat.page, 'First.', 'Half')
    expect(await chat.page.getByRole('alert').count()).toBe(0)
    expect(chat.prompts).toHaveLength(2)
    expect(chat.warned).toEqual([])
  })
})
