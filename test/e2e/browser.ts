import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import chromium from '@sparticuz/chromium'
import { chromium as launcher, type Browser } from 'playwright-core'

/**
 * A browser: the one at `CHROME_PATH`, else that which npm has brought, for Linux on x64. `more` are words of its
 * command line.
 */
export async function openBrowser(more: readonly string[] = []): Promise<Browser> {
  const folder = await mkdtemp(join(tmpdir(), 'dragoman-browser-'))
  const browser = await launcher.launch({
    executablePath: process.env['CHROME_PATH'] ?? (await unpacked(folder)),
    // Where tests run as root, Chrome's own sandbox cannot be had.
    args: ['--no-sandbox', '--disable-gpu', ...more],
  })
  browser.once('disconnected', () => void rm(folder, { recursive: true, force: true }))
  return browser
}

/** Unpacks it into the folder: what lies in a place that others can write to is not for running. */
async function unpacked(folder: string): Promise<string> {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error(
      `npm has no browser for ${process.platform} on ${process.arch}: ` +
        'set CHROME_PATH to an installed Chrome or Chromium.',
    )
  }
  const before = process.env['TMPDIR']
  process.env['TMPDIR'] = folder
  try {
    return await chromium.executablePath()
  } finally {
    if (before === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = before
  }
}
