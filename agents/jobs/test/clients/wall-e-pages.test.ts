import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { isFull } from '../../../../test/support/is-full.ts'
import { postingNumber, RESUME } from '../support/seeker.ts'
import { openWallE, wallEFolder, type WallE } from '../support/wall-e.ts'

const POSTING = 'https://www.linkedin.com/jobs/view/4012345678'
const POSTING_PAGE = `<title>Go Engineer - Northwind</title>
<h1 class="job-details-jobs-unified-top-card__job-title">Go Engineer</h1>
<p class="job-details-jobs-unified-top-card__company-name">Northwind</p>
<div class="jobs-description__content">About the job
Company: Northwind
${'You build reliable services in Go and keep them running. '.repeat(5)}</div>`

describe.runIf(isFull && wallEFolder)('the pages of the Wall-E extension', () => {
  let wallE: WallE
  let page: Page
  const tab = (name: string) => page.getByRole('button', { name, exact: true }).last().click()
  const card = (text: string) => page.locator('[data-slot="card"]', { hasText: text })
  beforeAll(async () => {
    wallE = await openWallE(wallEFolder ?? '')
    page = wallE.page
    await wallE.json('POST', '/jobs/resumes', { name: 'Ada', content: RESUME, isDefault: true })
    for (const number of [1, 2, 3]) await wallE.json('POST', '/jobs', postingNumber(number))
  })
  afterAll(() => wallE[Symbol.asyncDispose]())

  it('lists, searches and filters the postings', async () => {
    await tab('Jobs')
    await card('Backend Engineer 3').waitFor()
    await page.getByText('Inbox: 3').waitFor()

    await page.getByPlaceholder('Search jobs...').fill('Acme 2')
    await expect.poll(() => card('Backend Engineer').count()).toBe(1)
    await page.getByPlaceholder('Search jobs...').fill('')
    await page.getByRole('button', { name: 'Applied', exact: true }).click()
    await page.getByText('No jobs found').waitFor()
    await page.getByRole('button', { name: 'All', exact: true }).click()
    await expect.poll(() => card('Backend Engineer').count()).toBe(3)
  })

  it('stars and skips a posting', async () => {
    await card('Backend Engineer 1').hover()
    await card('Backend Engineer 1').locator('button:has(.lucide-star)').click()
    await card('Backend Engineer 1').locator('.lucide-star.fill-current').waitFor()
    await card('Backend Engineer 2').hover()
    await card('Backend Engineer 2').getByRole('button', { name: 'Skip' }).click()
    await card('Backend Engineer 2').getByText('Skipped').waitFor()

    expect(await wallE.json('GET', '/jobs?starred=true')).toMatchObject({ total: 1 })
    expect(await wallE.json('GET', '/jobs/stats')).toMatchObject({ inbox: 2, skipped: 1 })
  })

  it('opens a posting, changes its status, analyses it and tailors the resume', async () => {
    await card('Backend Engineer 1').click()
    await page.getByText('Team 1 builds').waitFor()
    await page.getByRole('combobox').nth(1).click()
    await page.getByRole('option', { name: 'Applied' }).click()
    await expect.poll(() => wallE.json('GET', '/jobs/1')).toMatchObject({ job: { status: 'applied' } })

    await page.getByRole('button', { name: 'Analyze' }).click()
    await page.getByText('82%').waitFor()
    await page.getByText('No Rust').waitFor()
    await page.getByRole('button', { name: 'Tailor Resume for This Job' }).click()
    await page.getByText('Resume tailored successfully!').waitFor()
    // What it makes of it is its own: its library does not know the colors of its style sheet.
    await page.getByRole('button', { name: 'Build PDF Resume' }).click()
    await page.getByRole('button', { name: 'Download' }).waitFor()
    await page.reload()
  })

  it('shows the versions of a posting in its workspace, makes one and saves an edit', async () => {
    const workspace = await wallE.open('#/workspace?jobId=1')
    const versions = async () => {
      const { versions: all } = await wallE.json('GET', '/jobs/tailor/1/versions')
      return (all as readonly { content: string }[]).map(({ content }) => content)
    }

    await workspace.getByText('Backend Engineer 1').first().waitFor()
    await workspace.getByText('Name Go first. (It is asked for.)').waitFor()
    await workspace.getByRole('button', { name: 'New Version' }).click()
    await expect.poll(async () => (await versions()).length).toBe(2)
    await workspace.locator('.milkdown [contenteditable]').click()
    // At once: the page says that it is unsaved after the first letter, and saves what it has by then.
    await workspace.keyboard.insertText('Edited here.')
    await workspace.getByText('Unsaved changes').waitFor()
    await workspace.getByRole('button', { name: 'Save Changes' }).click()
    await expect.poll(async () => (await versions()).length).toBe(3)
    expect((await versions())[0]).toContain('Edited here.')
    await workspace.close()
  })

  it('syncs, and shows the figures', async () => {
    await tab('Jobs')
    await page.locator('button:has(.lucide-refresh-cw)').first().click()
    await page.locator('button:has(.lucide-refresh-cw):not([disabled])').first().waitFor()
    await page.getByTitle('View Analytics').click()
    await page.getByText('Application Funnel').waitFor()
    await page.locator('button:has(.lucide-x)').first().click()
  })

  it('lists, imports, edits and deletes resumes', async () => {
    await tab('Resume')
    await card('Ada').getByText('DEFAULT').waitFor()
    await page.getByRole('button', { name: 'Import' }).click()
    await page.getByPlaceholder('e.g. Senior Software Engineer 2024').fill('Short')
    await page.getByRole('button', { name: 'Paste Markdown' }).click()
    await page.locator('textarea').fill(RESUME.replace('Ada Park', 'Ada P.'))
    await page.getByRole('button', { name: 'Import into Library' }).click()
    await card('Short').waitFor()

    const menu = async (name: string, item: string): Promise<void> => {
      await card(name).hover()
      await card(name).locator('button:has(.lucide-ellipsis-vertical)').last().click()
      await page.getByRole('menuitem', { name: item }).click()
    }
    await menu('Short', 'Set as Default')
    await card('Short').getByText('DEFAULT').waitFor()
    await menu('Short', 'Edit Content')
    await page.getByText(`${RESUME.trim().length - 2} characters`).waitFor()
    await page.keyboard.press('Escape')
    await page.reload()
    await tab('Resume')
    await menu('Short', 'Delete')
    await expect.poll(() => card('Short').count()).toBe(0)
    await card('Ada').getByText('DEFAULT').waitFor()
  })

  it('imports a resume as PDF', async () => {
    const buffer = await wallE.file('/jobs/resumes/1/pdf?template=modern')
    await page.getByRole('button', { name: 'Import' }).click()
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'Drawn.pdf', mimeType: 'application/pdf', buffer })
    await page.getByRole('button', { name: 'Import into Library' }).click()

    await card('Drawn').getByText('Pdf upload').waitFor()
    expect(await wallE.json('GET', '/jobs/resumes?limit=1')).toMatchObject({
      resumes: [{ name: 'Drawn', content: expect.stringContaining('Northwind Payments') }],
    })
  })

  it('shows its settings in both languages, the connection and the mail', async () => {
    await page.locator('button:has(.lucide-settings)').first().click()
    await page.getByText('Gmail Setup Required').waitFor()
    await wallE.json('POST', '/jobs/sources', {
      kind: 'mail',
      host: 'imap.example.com',
      user: 'ada@example.com',
      password: 'secret',
      check: false,
    })
    await page.getByRole('button', { name: 'Check Status' }).click()
    await page.getByText('ada@example.com').waitFor()
    await page.locator('input[type=number]').fill(new URL(wallE.url).port)
    await page.getByRole('button', { name: 'Test', exact: true }).click()
    await page.getByText(/Connected - Eve v\d/).waitFor()
    await page.getByRole('combobox').click()
    await page.getByRole('option', { name: '中文' }).click()
    await page.getByRole('heading', { name: '设置' }).waitFor()
    await page.getByRole('combobox').click()
    await page.getByRole('option', { name: 'English' }).click()
    await page.reload()
  })

  it('saves the posting on screen', async () => {
    await wallE.context.route('https://www.linkedin.com/**', (route) =>
      route.fulfill({ contentType: 'text/html', body: POSTING_PAGE }),
    )
    const board = await wallE.context.newPage()
    await board.goto(POSTING)
    await page.getByText('Detected').first().waitFor()
    await board.bringToFront()

    await page.locator('button:has(.lucide-bookmark)').first().click()

    await expect
      .poll(() => wallE.json('GET', '/jobs?search=Northwind'))
      .toMatchObject({
        jobs: [{ company: 'Northwind', url: POSTING, source: 'linkedin', status: 'inbox' }],
      })
  })
})
