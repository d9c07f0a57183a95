import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { Page } from 'playwright-core'
import { describe, expect, it, onTestFinished } from 'vitest'

import { accessibilityFaults, consoleBrowser, openConsole, sendMessage } from '../../../test/e2e/console.ts'
import { coding } from '../src/index.ts'

/** A command that writes a line, and the next one once a file is there. */
const STEPS = 'echo first; until test -e go; do sleep 0.05; done; echo second'

/** A console in which the coding agent serves two folders. */
async function twoFolders(ask: readonly string[] = []) {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'dragoman-console-')))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  for (const name of ['website', 'project/src']) await mkdir(join(folder, name), { recursive: true })
  await writeFile(join(folder, 'project/src/sum.js'), 'export const sum = (a, b) => a - b\n')
  const [website, project] = [join(folder, 'website'), join(folder, 'project')]
  const home = join(folder, 'home')
  await mkdir(join(home, 'agents/coding'), { recursive: true })
  const permissions = { tools: { ask } }
  await writeFile(join(home, 'agents/coding/agent.json'), JSON.stringify({ id: 'coding', permissions }))
  const server = await openConsole({
    agents: [coding],
    home,
    isOnDisk: false,
    env: { DRAGOMAN_OFFLINE_PACE: '0', PATH: process.env['PATH'] ?? '' },
    flags: ['--root', website, '--root', project],
  })
  onTestFinished(() => server[Symbol.asyncDispose]())
  return { server, project, website }
}

/** Approves the command on a machine without a sandbox. */
async function allowCommand(page: Page): Promise<void> {
  const approve = page.getByRole('button', { name: 'Approve' })
  await page.locator('.coding-command pre').or(approve).first().waitFor()
  if (await approve.isVisible()) await approve.click()
}

const waitForEnd = (page: Page): Promise<void> =>
  page.getByTestId('stop-button').waitFor({ state: 'detached', timeout: 20_000 })

describe('the coding agent in the console', () => {
  const browser = consoleBrowser()

  it('works in the folder of the user’s choice, and shows commands while they run', async () => {
    const { server, project, website } = await twoFolders()
    await using chat = await browser.open(server.url)
    const { page } = chat
    const welcome = page.locator('.coding-welcome')
    await welcome.getByRole('button', { name: project }).click()
    await welcome.getByRole('button', { name: 'src' }).click()
    await welcome.locator('strong', { hasText: join(project, 'src') }).waitFor()
    expect(await accessibilityFaults(page)).toEqual([])

    await sendMessage(page, `Replace \`a - b\` with \`a + b\` in sum.js and run \`${STEPS}\``)

    const diff = page.locator('.coding-edit')
    await diff.getByText('export const sum = (a, b) => a + b').waitFor()
    await allowCommand(page)
    const command = page.locator('.coding-command')
    await command.locator('pre', { hasText: 'first' }).waitFor()
    await command.getByText('Running').waitFor()
    expect(await command.locator('pre').innerText()).not.toContain('second')
    await writeFile(join(project, 'src/go'), '')
    await command.getByText('Exit code 0').waitFor()
    expect(await command.locator('pre').innerText()).toMatch(/first\s+second/)
    await waitForEnd(page)
    expect(await accessibilityFaults(page)).toEqual([])
    // The next message names no folder.
    await sendMessage(page, 'List the files')
    await page.getByText('.: 2 entries').waitFor()
    await waitForEnd(page)
    // A new conversation begins where the last one was.
    await page.goto(server.url)
    await welcome.locator('strong', { hasText: join(project, 'src') }).waitFor()
    // A folder that is served no more is not chosen again.
    await rm(join(project, 'src'), { recursive: true })
    await page.reload()
    await welcome.locator('strong', { hasText: website }).waitFor()
  })

  it('shows the difference before a write is allowed, and writes nothing else', async () => {
    const { server, website } = await twoFolders(['edit_file'])
    const hello = join(website, 'hello.txt')
    await writeFile(hello, 'one\ntwo\n')
    await using chat = await browser.open(server.url)
    const { page } = chat
    await page.locator('.coding-welcome').getByText(website).first().waitFor()
    await sendMessage(page, 'Replace `two` with `three` in hello.txt')
    const input = page.getByLabel('All of the input')
    await input.getByText('What would change').waitFor()

    expect(await input.locator('.call-preview-lines > div').allInnerTexts()).toEqual([
      '@@ -1,2 +1,2 @@',
      ' one',
      '-two',
      '+three',
    ])
    expect(await accessibilityFaults(page)).toEqual([])
    await writeFile(hello, 'one\ntwo, and more\n')
    await page.getByRole('button', { name: 'Allow' }).click()
    await waitForEnd(page)

    await page
      .getByText(/^hello\.txt (is not what the user was shown|has changed on disk)/)
      .first()
      .waitFor()
    expect(await readFile(hello, 'utf8')).toBe('one\ntwo, and more\n')
  })

  it('lists what changed, shows the files, and reverts them', async () => {
    const { server, website } = await twoFolders()
    const hello = join(website, 'hello.txt')
    await using chat = await browser.open(server.url)
    const { page } = chat
    await page.locator('.coding-welcome').getByText(website).first().waitFor()
    await sendMessage(page, 'Create hello.txt with `Hello!`')
    await waitForEnd(page)
    await page.getByRole('button', { name: 'Changes' }).click()
    const panel = page.locator('.coding-panel')
    await panel.locator('.coding-changes').getByText('hello.txt').waitFor()
    await panel.locator('.coding-tree').getByRole('img', { name: 'changed' }).waitFor()
    expect(await accessibilityFaults(page)).toEqual([])

    await panel.locator('.coding-tree').getByText('hello.txt').click()
    await panel.getByRole('region', { name: 'Content of hello.txt' }).getByText('Hello!').waitFor()
    await panel.getByRole('button', { name: 'Back' }).click()
    await panel.locator('.coding-changes').getByText('hello.txt').click()
    await panel.getByRole('region', { name: 'Changes of hello.txt' }).getByText('Hello!').waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    await panel.getByRole('button', { name: 'Back' }).click()
    await writeFile(hello, 'Mine.\n')
    await panel.getByRole('button', { name: 'Revert hello.txt' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Revert', exact: true }).click()
    await dialog.getByText('Something else').waitFor()
    expect(await readFile(hello, 'utf8')).toBe('Mine.\n')
    expect(await accessibilityFaults(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Revert anyway' }).click()

    await panel.getByText('No file is changed yet.').waitFor()
    await expect(readFile(hello)).rejects.toThrow('ENOENT')
    await panel.locator('.coding-tree').waitFor({ state: 'detached' })
  })

  it('speaks Chinese, and fits a phone', async () => {
    const { server, website } = await twoFolders()
    await using chat = await browser.open(server.url, {
      locale: 'zh-CN',
      viewport: { width: 360, height: 740 },
    })
    const { page } = chat
    await page.getByRole('region', { name: '工作文件夹' }).getByText(website).first().waitFor()
    await sendMessage(page, '新建 你好.txt，内容是 `你好！`')
    await page.locator('.coding-edit').getByText('新建').waitFor()
    await waitForEnd(page)
    await page.getByRole('button', { name: '更改' }).click()
    await page.getByRole('button', { name: '还原 你好.txt' }).click()
    await page.getByText('你好.txt 是这个对话新建的，将被删除。').waitFor()

    const width = await page.evaluate<number>('document.documentElement.scrollWidth')

    expect(width).toBeLessThanOrEqual(360)
    expect(await accessibilityFaults(page)).toEqual([])
  })

  it('says how to name a folder if none is served', async () => {
    await using server = await openConsole({ agents: [coding] })
    await using chat = await browser.open(server.url)

    await chat.page.locator('.coding-welcome').getByText('dragoman --root ~/project').waitFor()
    expect(await accessibilityFaults(chat.page)).toEqual([])
  })
})
