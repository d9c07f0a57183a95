import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { run } from '../support/process.ts'
import { consoleBrowser, messagesOf, sendMessage } from './console.ts'

describe('the console of a server that is killed', () => {
  const browser = consoleBrowser()

  it('continues the same message once the server is back, and says so', async () => {
    const home = await mkdtemp(join(tmpdir(), 'dragoman-test-'))
    const env = { PATH: process.env['PATH'] ?? '', DRAGOMAN_OFFLINE_PACE: '25' }
    const start = (port: string) => run(['--port', port, '--home', home], env)
    const first = start('0')
    const url = await first.ready
    try {
      await using chat = await browser.open(url)
      const { page } = chat
      await sendMessage(page, 'What is 0.1 + 0.2?')
      await page.getByText('I am dragoman').waitFor()
      first.kill()
      await first.ended
      await page.getByText('Connection lost.').waitFor()

      const second = start(new URL(url).port)
      try {
        await second.ready
        await page.getByText('The same answer continues.').waitFor()
        await page.getByRole('button', { name: 'Answer again' }).waitFor()

        const [question, answer, ...others] = await messagesOf(page)
        expect(question).toBe('What is 0.1 + 0.2?')
        expect(answer).toContain('0.1 + 0.2 = 0.3')
        expect(others).toEqual([])
        expect(await page.getByLabel('calculate: Done').count()).toBe(1)
      } finally {
        await second.stop()
      }
    } finally {
      first.kill()
      await rm(home, { recursive: true, force: true })
    }
  })
})
