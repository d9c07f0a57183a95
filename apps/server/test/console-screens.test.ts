import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { accessibilityFaults, consoleBrowser, openConsole } from '../../../test/e2e/console.ts'
import { client } from '../../../test/support/http.ts'
import { isFull } from '../../../test/support/is-full.ts'
import type { TestServer } from '../../../test/support/server.ts'
import { assistant } from '../../../agents/assistant/src/index.ts'
import { coding } from '../../../agents/coding/src/index.ts'
import { jobs } from '../../../agents/jobs/src/index.ts'
import { life } from '../../../agents/life/src/index.ts'

/** Where the pictures go, for people to look at. Without it, pages are checked and not drawn. */
const SCREENSHOTS = process.env['SCREENSHOTS']
const DEMO = join(import.meta.dirname, '../../../agents/jobs/demo')
const WIDTHS = { wide: 1280, narrow: 390 } as const
const THEMES = ['light', 'dark'] as const

type View = {
  readonly name: string
  readonly path: string
  /** Waited for before the picture. */
  readonly ready: string
  /** Done first, once. */
  readonly prepare?: (page: Page) => Promise<void>
}

describe.runIf(isFull)('every view of the console', () => {
  const browser = consoleBrowser()
  let folder: string
  let server: TestServer
  let views: readonly View[]
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dragoman-screens-'))
    await mkdir(join(folder, 'src'))
    await writeFile(join(folder, 'src/sum.js'), 'export const sum = (a, b) => a - b\n')
    server = await openConsole({
      agents: [jobs, coding, life, assistant],
      env: { DRAGOMAN_OFFLINE_PACE: '0', PATH: process.env['PATH'] ?? '' },
      flags: ['--root', folder],
    })
    views = await prepareViews(server)
  }, 60_000)
  afterAll(async () => {
    await server[Symbol.asyncDispose]()
    await rm(folder, { recursive: true })
  })

  it.each(['en-US', 'zh-CN'] as const)(
    'fits each width and theme: %s',
    { timeout: 300_000 },
    async (locale) => {
      await using chat = await browser.open(server.url, { locale, reducedMotion: 'reduce' })
      const { page } = chat
      const faults: string[] = []
      for (const view of views) {
        await page.setViewportSize({ width: WIDTHS.wide, height: 900 })
        await page.goto(`${server.url}${view.path}`)
        await page.locator(view.ready).first().waitFor()
        await view.prepare?.(page)
        faults.push(...(await draw(page, view.name, locale)))
        // Contrast depends on the theme: the dark one, which is shown last, is judged here, the light one elsewhere.
        if (locale === 'en-US')
          faults.push(...(await accessibilityFaults(page)).map((fault) => `${view.name}: ${fault}`))
      }
      expect(faults).toEqual([])
    },
  )
})

/** Each pair of language, theme and width is in one of the four pictures of a view. */
const LOOKS = {
  'en-US': { light: 'wide', dark: 'narrow' },
  'zh-CN': { light: 'narrow', dark: 'wide' },
} as const
type Locale = keyof typeof LOOKS

/** Draws a page in each theme. Returns where it is too wide. */
async function draw(page: Page, name: string, locale: Locale): Promise<readonly string[]> {
  const faults: string[] = []
  for (const theme of THEMES) {
    const width = LOOKS[locale][theme]
    await page.evaluate(`document.documentElement.dataset.theme = '${theme}'`)
    await page.setViewportSize({ width: WIDTHS[width], height: 900 })
    if ((await page.evaluate('document.documentElement.scrollWidth')) !== WIDTHS[width])
      faults.push(`${name} is wider than ${WIDTHS[width]} pixels in ${locale}`)
    if (SCREENSHOTS !== undefined)
      await page.screenshot({ path: join(SCREENSHOTS, `${name}-${locale}-${theme}-${width}.png`) })
  }
  return faults
}

/** Stores something for each view, and lists the views. */
async function prepareViews(server: TestServer): Promise<readonly View[]> {
  const { json, post } = client(server)
  const content = await readFile(join(DEMO, 'en/mara-lindqvist.md'), 'utf8')
  await json('POST', '/jobs/resumes', { content, isDefault: true })
  const posting = {
    title: 'Senior TypeScript Engineer',
    company: 'Northwind',
    url: 'https://northwind.example/1',
    location: 'San Francisco',
    salary: '$150k–180k',
    description: 'You have 5+ years of TypeScript and Node.js. Nice to have: Rust.',
  }
  await json('POST', '/jobs', posting)
  await json('POST', '/jobs', { ...posting, title: 'Platform Engineer', url: 'https://northwind.example/2' })
  await client(server).send('PATCH', '/jobs/2', { status: 'applied', followUpAt: '2026-11-20' })
  await json('POST', '/jobs/tailor/1', { content: content.replace('two junior', 'junior') })
  await client(server).send('PUT', '/life/profile/birth', {
    birthDate: '1990-05-15',
    birthTime: '14:30',
    birthPlace: 'Chengdu, China',
    gender: 'female',
  })
  const say = async (agent: string, message: string): Promise<{ thread: string; run: string }> => {
    const { body } = await json('POST', '/v1/threads', { agent })
    const thread = String(body['id'])
    const response = await post(`/v1/threads/${thread}/runs`, { message })
    await response.text()
    return { thread, run: response.headers.get('x-run-id') ?? '' }
  }
  const jobsChat = await say('jobs', 'List my jobs')
  const lifeChat = await say('life', 'Show me my chart')
  const codingChat = await say('coding', 'Replace `a - b` with `a + b` in src/sum.js')
  const agentPage = (agent: string, path = ''): string => `/console/agents/${agent}${path}`
  const board = (path: string): string => agentPage('jobs', `/${path}`)
  const pdf = '.jobs-pdf-page'
  return [
    { name: 'new-chat', path: '/', ready: '.introduction h2' },
    { name: 'chat-jobs', path: `/console/threads/${jobsChat.thread}`, ready: 'article' },
    { name: 'chat-life', path: `/console/threads/${lifeChat.thread}`, ready: '.life-chart' },
    {
      name: 'chat-coding',
      path: `/console/threads/${codingChat.thread}`,
      ready: '.coding-edit',
      prepare: async (page) => {
        await page.locator('[aria-expanded="false"]').last().waitFor()
        await page.getByRole('button', { name: /^(?:Changes|更改)$/ }).click()
        await page.locator('.panel').getByText('sum.js').waitFor()
      },
    },
    { name: 'inbox', path: '/console/inbox', ready: '.page-body p, .page-body section' },
    { name: 'inspector', path: '/console/inspect', ready: '.run-list li' },
    { name: 'inspector-run', path: `/console/inspect/${jobsChat.run}`, ready: '.pane' },
    { name: 'operate', path: '/console/operate', ready: '.token-form' },
    { name: 'models', path: '/console/models', ready: '.provider' },
    { name: 'jobs-board', path: board(''), ready: '.jobs-card' },
    { name: 'jobs-table', path: board('table'), ready: '.jobs-table td' },
    { name: 'jobs-posting', path: board('postings/1'), ready: '.jobs-match li' },
    { name: 'jobs-tailored', path: board('postings/1/tailored/1'), ready: pdf },
    { name: 'jobs-resumes', path: board('resumes'), ready: '.jobs-list li' },
    { name: 'jobs-resume', path: board('resumes/1'), ready: pdf },
    { name: 'jobs-insights', path: board('insights'), ready: '.jobs-bars tr' },
    { name: 'jobs-follow-ups', path: board('follow-ups'), ready: '.jobs-follow-up' },
    { name: 'jobs-add', path: board('add'), ready: '[role="dialog"]' },
    { name: 'life-today', path: agentPage('life'), ready: '.life-tabs' },
    { name: 'life-chart', path: agentPage('life', '/chart'), ready: '.life-chart' },
    { name: 'life-profile', path: agentPage('life', '/profile'), ready: '.life-card' },
    { name: 'life-memory', path: agentPage('life', '/memory'), ready: '.life-card' },
    { name: 'life-privacy', path: agentPage('life', '/privacy'), ready: '.life-card' },
  ]
}
