import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { accessibilityFaults, consoleBrowser, openConsole } from '../../../test/e2e/console.ts'
import type { TestServer } from '../../../test/support/server.ts'
import { jobs } from '../src/index.ts'

const TITLE = 'Senior TypeScript Engineer, Developer Tools'

/** The columns of the board with the titles of their cards. */
function columnsOf(page: Page): Promise<Record<string, string[]>> {
  return page
    .locator('.jobs-column')
    .evaluateAll((columns) =>
      Object.fromEntries(
        columns.map((column) => [
          column.dataset['status'],
          Array.from(column.querySelectorAll('.jobs-card-title'), ({ textContent }) => textContent),
        ]),
      ),
    )
}

async function statusOf({ url }: TestServer, title: string): Promise<string | undefined> {
  const response = await fetch(`${url}/jobs?limit=100`)
  const { jobs: all } = (await response.json()) as { jobs: { title: string; status: string }[] }
  return all.find((job) => job.title === title)?.status
}

describe('the board of jobs in the console', () => {
  const browser = consoleBrowser()
  let server: TestServer
  beforeAll(async () => {
    server = await openConsole({ agents: [jobs] })
    await using chat = await browser.open(`${server.url}/console/agents/jobs`)
    await chat.page.getByRole('button', { name: 'Try it with examples' }).click()
    await chat.page.locator('.jobs-card').nth(5).waitFor()
  }, 60_000)
  afterAll(() => server[Symbol.asyncDispose]())
  const open = (path: string, options = {}) =>
    browser.open(`${server.url}/console/agents/jobs/${path}`, options)

  it('lets the facts of a posting be corrected, and says what is wrong next to its field', async () => {
    await using chat = await open('')
    const { page } = chat
    const posting = page.locator('.jobs-card', { hasNotText: TITLE }).last()
    await posting.getByRole('link').click()
    await page.getByRole('button', { name: 'Correct the posting' }).click()
    const form = page.getByRole('dialog')
    expect(await accessibilityFaults(page)).toEqual([])

    await form.getByLabel('Company').fill('')
    await form.getByLabel('Salary, as the posting says it').fill('€80,000–95,000')
    await form.getByRole('button', { name: 'Save' }).click()
    const problem = form.locator('label', { hasText: 'Company' }).getByRole('alert')
    await expect.poll(() => problem.innerText()).toContain('company')

    await form.getByLabel('Company').fill('Acme GmbH')
    await form.getByLabel('Location').fill('Berlin')
    await form.getByLabel('Workplace').selectOption('Hybrid')
    await form.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Acme GmbH · Berlin · Hybrid · €80,000–95,000').waitFor()
    await expect.poll(() => form.count()).toBe(0)
  })

  it('moves a posting by drag, by keys and by its menu', async () => {
    await using chat = await open('')
    const { page } = chat
    const card = page.locator('.jobs-card', { hasText: TITLE })
    await page.locator('[data-status="applied"] .jobs-card').waitFor()

    await card.dragTo(page.locator('[data-status="applied"]'))

    await expect.poll(() => statusOf(server, TITLE)).toBe('applied')
    await expect.poll(async () => (await columnsOf(page))['applied']).toContain(TITLE)

    await card.getByRole('link').focus()
    await page.keyboard.press('Alt+ArrowRight')

    await expect.poll(() => statusOf(server, TITLE)).toBe('interviewing')
    await page.getByRole('status').getByText(`${TITLE}: Interviewing`).waitFor()
    // The focus goes along, so that the next key moves it on.
    await expect.poll(() => page.locator(':focus').textContent()).toBe(TITLE)

    await card.getByRole('combobox').selectOption('inbox')

    await expect.poll(() => statusOf(server, TITLE)).toBe('inbox')
    await expect.poll(async () => (await columnsOf(page))['inbox']).toContain(TITLE)
    expect(await accessibilityFaults(page)).toEqual([])
  })

  it('explains line by line how a posting fits', async () => {
    await using chat = await open('table')
    const { page } = chat
    await page.getByRole('link', { name: TITLE }).click()

    const lines = page.getByRole('region', { name: 'How it fits' }).locator('.jobs-match > li')
    await lines.first().waitFor()

    expect(await lines.allInnerTexts()).toEqual([
      expect.stringMatching(/Work permit[^]*You must be authorized to work in the United States\./),
      expect.stringMatching(/Place[^]*San Francisco/),
      expect.stringMatching(/Years[^]*\n5\+ years of TypeScript/),
      expect.stringContaining('Skills it requires: 6 of 6'),
      expect.stringContaining('Nice-to-have skills: 0 of 1'),
    ])
    expect(await accessibilityFaults(page)).toEqual([])
  })

  it('tailors a resume by hand, checks it for truth, and draws and downloads its PDF', async () => {
    await using chat = await open('table')
    const { page } = chat
    await page.getByRole('link', { name: TITLE }).click()
    // The demo model cannot tailor.
    await page.getByRole('link', { name: 'Connect a model' }).first().waitFor()
    expect(await page.getByRole('button', { name: 'Tailor with the model' }).isDisabled()).toBe(true)
    await page.getByRole('button', { name: 'Write it myself' }).click()
    const draft = page.getByLabel('Tailored resume, in Markdown')
    const text = await draft.inputValue()
    await draft.fill(text.replace('Mentor two junior engineers.', 'Mentor two junior engineers in Rust.'))

    await page.getByRole('button', { name: 'Save' }).click()

    await page.getByRole('heading', { name: `Version 1 for ${TITLE}, Northwind Labs` }).waitFor()
    const truth = page.getByRole('region', { name: 'Truth check' })
    await truth.getByText('a skill that is not in your resume').waitFor()
    expect(await page.locator('.jobs-difference [data-op="added"] mark').allInnerTexts()).toEqual([
      ' in Rust',
    ])
    await expect.poll(() => darkPixels(page)).toBeGreaterThan(1000)
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download PDF' }).click(),
    ])
    expect(download.suggestedFilename()).toBe('Mara Lindqvist - Northwind Labs.pdf')
    expect(await accessibilityFaults(page)).toEqual([])

    await page.getByRole('button', { name: 'Edit' }).click()
    await draft.fill(text.replace('Mentor two junior engineers.', 'Mentor junior engineers.'))
    await page.getByRole('button', { name: 'Save' }).click()

    await truth.getByText('Every claim traces to your resume.').waitFor()
  })

  it('edits a resume and shows it as a document', async () => {
    await using chat = await open('resumes')
    const { page } = chat
    await page.getByRole('link', { name: 'Mara Lindqvist' }).click()
    await expect.poll(() => darkPixels(page)).toBeGreaterThan(1000)
    const text = page.getByLabel('Markdown')
    await text.fill((await text.inputValue()).replace('## Languages', '## Spoken languages'))

    await page.getByRole('button', { name: 'Save' }).click()

    await page.getByRole('region', { name: 'Earlier versions' }).getByText('Version 1').waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
  })

  it('shows charts and the applications to ask after', async () => {
    await using chat = await open('insights')
    const { page } = chat
    const funnel = page.getByRole('region', { name: 'Funnel' })
    await funnel.getByRole('row', { name: /Saved 6/ }).waitFor()
    await page
      .getByRole('region', { name: 'Most wanted skills' })
      .getByRole('row', { name: 'PostgreSQL 3, required by 2' })
      .waitFor()
    expect(await accessibilityFaults(page)).toEqual([])

    await page.getByRole('link', { name: 'Follow-ups' }).click()
    await page.getByText('Due on Nov 20, 2026').waitFor()
    await page.getByRole('button', { name: 'I asked' }).click()

    await page.getByText('No application needs a follow-up today.').waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
  })

  it('adds postings from a table and reports the lines that are wrong', async () => {
    await using chat = await open('')
    const { page } = chat
    await page.getByRole('button', { name: 'Add a posting' }).click()
    await page.getByRole('button', { name: 'CSV table' }).click()
    await page
      .getByLabel('Or its text')
      .fill(
        'Position,Company,Link,Status\nTester,Acme,https://acme.example/1,applied\nBaker,,https://b.example,\n',
      )

    await page.getByRole('button', { name: 'Add postings: 2' }).click()

    await page.getByText('Added: 1. Already there: 0.').waitFor()
    await page.getByText('Line 3: company is required').waitFor()
    expect(await statusOf(server, 'Tester')).toBe('applied')
  })

  it('takes a page from the bookmarklet, once the user agrees', async () => {
    await using chat = await open('')
    const { page, context } = chat
    await page.getByRole('button', { name: 'Add a posting' }).click()
    await page.getByRole('button', { name: 'Bookmark' }).click()
    const script = await page.getByText('Add to dragoman').getAttribute('href')
    await context.route('https://jobs.acme.example/7', (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: `<h1>Data Engineer</h1><p>Acme, Hangzhou. ${'You build reliable pipelines. '.repeat(8)}</p>`,
      }),
    )
    const site = await context.newPage()
    await site.goto('https://jobs.acme.example/7')

    const [popup] = await Promise.all([
      context.waitForEvent('page'),
      site.evaluate(decodeURIComponent((script ?? '').replace('javascript:', ''))),
    ])

    await popup.getByText('The page was handed over as your browser shows it.').waitFor()
    await popup.getByText('https://jobs.acme.example/7', { exact: true }).waitFor()
    expect(await statusOf(server, 'Data Engineer')).toBe(undefined)
    await popup.getByRole('button', { name: 'Add', exact: true }).click()
    await popup.locator('.jobs-posting-header').getByText('Data Engineer').waitFor()
    expect(await statusOf(server, 'Data Engineer')).toBe('inbox')
  })

  it('speaks Chinese', async () => {
    await using chat = await open('', { locale: 'zh-CN' })
    const { page } = chat
    await page.getByRole('heading', { name: '收件箱' }).waitFor()
    await page.getByRole('link', { name: '分析' }).click()
    await page.getByRole('region', { name: '求职漏斗' }).waitFor()
    expect(await page.locator('.jobs-page').innerText()).not.toMatch(/Funnel|Board|Resumes/)
  })
})

/** How much is drawn on the first page of a document. */
function darkPixels(page: Page): Promise<number> {
  return page.locator('canvas.jobs-pdf-page').evaluateAll((canvases) => {
    const canvas = canvases[0] as unknown as {
      readonly width: number
      readonly height: number
      getContext(kind: '2d'): { getImageData(...area: number[]): { readonly data: Uint8ClampedArray } }
    }
    if (!canvas) return 0
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height)
    return data.filter((value, index) => index % 4 === 0 && value < 128).length
  })
}
