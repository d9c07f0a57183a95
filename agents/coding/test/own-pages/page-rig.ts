import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, realpath, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** A busy machine takes its time to show something. */
export const WAIT = { timeout: 20_000 }

/** A folder for a server: `root` is served, and `bin` is a `PATH` on which no program of a sandbox is found. */
export async function serverFolder() {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'dragoman-page-')))
  const [root, bin] = [join(folder, 'project'), join(folder, 'bin')]
  await mkdir(root)
  await mkdir(bin)
  await symlink('/bin/sh', join(bin, 'sh'))
  return { folder, root, bin, remove: () => rm(folder, { recursive: true, force: true }) }
}

/** Waits until the page shows a text. */
export async function waitForText(page: Page, text: string | RegExp): Promise<void> {
  await page.getByText(text).first().waitFor(WAIT)
}

type Question = { readonly callId: string; readonly runId: string }

/** Answers the one open question of a server, as its console does. */
export async function answerQuestion(url: string, approved: boolean): Promise<void> {
  const list = async (): Promise<readonly Question[]> =>
    ((await (await fetch(`${url}/v1/questions`)).json()) as { questions: readonly Question[] }).questions
  await expect.poll(async () => (await list()).length, WAIT).toBe(1)
  const [{ runId, callId } = { runId: '', callId: '' }] = await list()
  await fetch(`${url}/v1/runs/${runId}/answers`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ callId, answer: { kind: 'approval', approved } }),
  })
}

/**
 * The built page of a client, whose folder a variable names: the client's own, where the build is in one of `places`,
 * or that of the build. Undefined without the variable.
 */
export function builtPage(variable: string, places: readonly string[]): string | undefined {
  const folder = process.env[variable]
  if (!folder) return undefined
  const place = [...places, '.'].find((each) => existsSync(join(folder, each, 'index.html')))
  if (place === undefined) throw new Error(`${variable}: there is no built page in ${folder}.`)
  return join(folder, place)
}
