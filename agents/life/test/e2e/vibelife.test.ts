import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { openBrowser } from '../../../../test/e2e/browser.ts'
import { isFull } from '../../../../test/support/is-full.ts'
import { vibeProvider, type VibeProvider } from './vibelife-provider.ts'
import { vibelifeServer, type VibeLifeServer } from './vibelife-server.ts'
import { generations, VIBELIFE_FOLDER, vibelifeSite } from './vibelife-site.ts'

const SKILLS = ['bazi', 'zodiac', 'mbti', 'tarot', 'attach', 'career', 'lifecoach']
const isDriven = isFull && VIBELIFE_FOLDER !== ''
/** A busy machine takes its time to show something. */
const WAIT_MS = 45_000

let browser: Browser
let provider: VibeProvider
beforeAll(async () => {
  if (isDriven) [browser, provider] = await Promise.all([openBrowser(), vibeProvider()])
}, 60_000)
afterAll(async () => {
  await browser?.close()
  await provider?.[Symbol.asyncDispose]()
})

const send = async (page: Page, words: string, button = 'Send'): Promise<void> => {
  await page.getByLabel('Message').fill(words)
  await page.getByRole('button', { name: button }).click()
}
const textsOf = (page: Page): Promise<string[]> => page.locator('article p').allInnerTexts()
const shows = (page: Page, texts: readonly unknown[]): Promise<void> =>
  expect.poll(() => textsOf(page), { timeout: WAIT_MS }).toEqual(texts)
const ready = (page: Page): Promise<void> =>
  page.getByText('ready', { exact: true }).waitFor({ timeout: WAIT_MS })

describe.skipIf(!isDriven).each(generations)('VibeLife’s own hook, $name, in a browser', (generation) => {
  let server: VibeLifeServer
  let site: Awaited<ReturnType<typeof vibelifeSite>>
  beforeAll(async () => {
    server = await vibelifeServer(provider.url)
    site = await vibelifeSite(generation, server.url)
  }, 120_000)
  afterAll(async () => {
    await site?.[Symbol.asyncDispose]()
    await server?.[Symbol.asyncDispose]()
  })

  async function open(query: Readonly<Record<string, string>> = {}) {
    const page = await browser.newPage()
    page.setDefaultTimeout(WAIT_MS)
    await page.goto(`${site.url}?${new URLSearchParams({ voice: 'warm', ...query }).toString()}`)
    return Object.assign(page, { [Symbol.asyncDispose]: () => page.close() })
  }

  it('streams a text, and remembers the conversation without a name for it', async () => {
    await using page = await open()
    await send(page, '早')
    await shows(page, ['早', '你说过：早'])
    await ready(page)
    await send(page, '晚')
    await shows(page, ['早', '你说过：早', '晚', '你说过：早、晚'])
  })

  it('remembers the conversation by its conversation_id, also after a reload', async () => {
    await using page = await open({ conversation: `evening-${generation.sdk}-${generation.name.length}` })
    await send(page, '早')
    await shows(page, ['早', '你说过：早'])
    await ready(page)
    await page.reload()
    await shows(page, [])
    await send(page, '晚')
    await shows(page, ['晚', '你说过：早、晚'])
  })

  it.each(SKILLS)('answers with the skill %s preset', async (skill) => {
    await using page = await open({ skill })
    await send(page, '你好')
    await shows(page, ['你好', '你说过：你好'])
    const unknown = `a skill that is not here, of the name "${skill}"`
    if (skill === 'bazi') expect(provider.system()).toContain('In use: bazi')
    else expect(provider.system()).toContain(unknown)
  })

  it.each([
    ['warm', '暖心'],
    ['sarcastic', '毒舌'],
    ['wise', '导师'],
  ])('speaks in the voice %s', async (voice, name) => {
    await using page = await open({ voice })
    await send(page, '你好')
    await shows(page, ['你好', '你说过：你好'])
    expect(provider.system()).toContain(`Your voice is ${voice} (${name})`)
  })

  it('draws a card, and asks for a birth that a chart needs', async () => {
    await using page = await open({ scenario: 'daily' })
    await send(page, '给我一张卡片')
    await shows(page, ['给我一张卡片', '看好了。'])
    expect(await page.locator('aside').allInnerTexts()).toEqual(['insight_card'])
    await ready(page)
    await send(page, '看八字')
    await shows(page, ['给我一张卡片', '看好了。', '看八字', '看好了。'])
    expect(await page.locator('aside').allInnerTexts()).toEqual(['insight_card', 'need_info'])
  })

  it('stops, shows what was said, and answers the next message', async () => {
    await using page = await open()
    await send(page, '慢慢说')
    await page.getByText('词3 ').waitFor()
    await page.getByRole('button', { name: 'Stop' }).click()
    await ready(page)
    const [, stopped = ''] = await textsOf(page)
    expect(stopped).toMatch(/^词0 词1 /)
    expect(stopped).not.toContain('词39')
    await send(page, '早')
    await shows(page, ['慢慢说', stopped, '早', expect.stringContaining('早')])
    expect(await page.locator('pre').innerText()).toBe('')
  })

  it('shows a refused model as an error, and goes on', async () => {
    await using page = await open()
    await send(page, '错')
    await expect.poll(() => page.locator('pre').innerText(), { timeout: WAIT_MS }).not.toBe('')
    await send(page, '早')
    await expect.poll(() => textsOf(page), { timeout: WAIT_MS }).toContainEqual(expect.stringContaining('早'))
    await ready(page)
    expect((await textsOf(page)).at(-1)).toMatch(/^你说过：.*早$/)
  })

  it('starts again by a quick prompt, and answers again', async () => {
    await using page = await open()
    await send(page, '早')
    await shows(page, ['早', '你说过：早'])
    await ready(page)
    await send(page, '午', 'Quick')
    await expect
      .poll(() => textsOf(page), { timeout: WAIT_MS })
      .toContainEqual(expect.stringMatching(/^你说过：.*午$/))
    await ready(page)
    await page.getByRole('button', { name: 'Again' }).click()
    await ready(page)
    expect((await textsOf(page)).at(-1)).toMatch(/^你说过：.*午$/)
  })

  it('loses no answer to a reload in its middle', async () => {
    const conversation = `reload-${generation.name.length}`
    await using page = await open({ conversation })
    await send(page, '慢慢说')
    await page.getByText('词3 ').waitFor()
    await page.reload()
    await shows(page, [])
    await answered(conversation)
    await send(page, '早')
    await shows(page, ['早', '你说过：慢慢说、早'])
  })

  it('shows an error where the server is killed, and has the whole answer once it is back', async () => {
    const conversation = `killed-${generation.name.length}`
    await using page = await open({ conversation })
    await send(page, '慢慢说')
    await page.getByText('词3 ').waitFor()
    await server.killAndStart()
    await ready(page)
    const [, shown = ''] = await textsOf(page)
    expect(shown).toMatch(/^词0 词1 /)
    expect(await page.locator('pre').innerText()).not.toBe('')
    await answered(conversation)
    await send(page, '早')
    await shows(page, ['慢慢说', shown, '早', '你说过：慢慢说、早'])
  }, 180_000)

  /** Waits until the answer is whole in the history, as a page that lists conversations reads it. */
  async function answered(conversation: string): Promise<void> {
    await expect
      .poll(
        async () => {
          const response = await fetch(`${server.url}/api/v1/conversations/${conversation}`)
          const { messages } = (await response.json()) as { messages: readonly { content: string }[] }
          return messages[1]?.content
        },
        { timeout: 30_000 },
      )
      .toContain('词39')
  }
})

describe.skipIf(!isDriven)('VibeLife’s own hook v11, before a server with marks', () => {
  const generation = generations[1] ?? generations[0]
  let server: VibeLifeServer
  let site: Awaited<ReturnType<typeof vibelifeSite>>
  beforeAll(async () => {
    server = await vibelifeServer(provider.url, { DRAGOMAN_VIBELIFE_STREAM: 'marks' })
    if (generation) site = await vibelifeSite(generation, server.url)
  }, 120_000)
  afterAll(async () => {
    await site?.[Symbol.asyncDispose]()
    await server?.[Symbol.asyncDispose]()
  })

  it('draws cards from marks, shows what is being done, and has both again from the history', async () => {
    const page = await browser.newPage()
    await page.goto(`${site.url}?conversation=marks`)
    await send(page, '给我一张卡片')
    await shows(page, ['给我一张卡片', '看好了。'])
    await ready(page)
    expect(await page.locator('aside.mark').allInnerTexts()).toEqual(['insight_card'])
    const phases = await page.locator('li').allInnerTexts()
    expect(phases).toEqual(['analyzing', 'tool_call', 'analyzing', 'complete'])

    await page.goto(`${site.url}?conversation=marks&later=1`)
    // The hook takes a history that it has already: it is loaded when the conversation is opened first.
    const open = page.getByRole('button', { name: 'Open' })
    const loaded = page.waitForResponse(/conversations\/marks/)
    await open.click()
    await loaded
    await open.click()
    await open.click()
    await shows(page, ['给我一张卡片', '看好了。'])
    expect(await page.locator('aside.mark').allInnerTexts()).toEqual(['insight_card'])
    await page.close()
  })
})
