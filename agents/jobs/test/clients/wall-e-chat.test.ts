import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { isFull } from '../../../../test/support/is-full.ts'
import { openWallE, say, wallEFolder, type WallE } from '../support/wall-e.ts'

/** The status of the latest run, and what it has said. */
async function lastRun(wallE: WallE): Promise<{ status: unknown; text: string }> {
  const { runs } = (await wallE.json('GET', '/v1/runs')) as {
    runs: readonly { id: string; status: string }[]
  }
  const { message } = await wallE.json('GET', `/v1/runs/${runs[0]?.id}`)
  return { status: runs[0]?.status, text: JSON.stringify(message) }
}

describe.runIf(isFull && wallEFolder)('the chat of the Wall-E extension', () => {
  let wallE: WallE
  beforeAll(async () => {
    wallE = await openWallE(wallEFolder ?? '')
  })
  afterAll(() => wallE[Symbol.asyncDispose]())

  it('shows text, reasoning and tools, and sends what was said before', async () => {
    const { page, provider } = wallE
    await say(page, 'hi')
    await page.getByText('Hello.').waitFor()
    await say(page, 'think')
    await page.getByText('I weigh both sides.').waitFor()
    await say(page, 'look')
    await page.getByText('1 tool completed').waitFor()
    await page.getByText('That is all.').waitFor()

    expect(await page.getByText('Let me look.').count()).toBe(1)
    const turns = provider.chats.at(-1)?.slice(1) ?? []
    expect(turns.filter((turn) => /^(?:user|assistant): \S/.test(turn))).toEqual([
      'user: hi',
      'assistant: Hello.',
      'user: think',
      'assistant: Hello.',
      'user: look',
      'assistant: Let me look.',
    ])
  })

  it('keeps what it has shown over a reload', async () => {
    const { page } = wallE
    await page.reload()

    await page.getByText('That is all.').waitFor()
    expect(await page.getByText('1 tool completed').count()).toBe(1)
  })

  it('shows why a run has failed', async () => {
    await say(wallE.page, 'fail')

    await wallE.page.getByText('The model provider refused the key for openai:mock.').waitFor()
  })

  it('stops the run with its Stop button, and keeps the half', async () => {
    const { page, provider } = wallE
    const before = provider.departures
    await say(page, 'count')
    await page.getByText('word3').waitFor()

    await page.locator('button.bg-destructive, button:has(.lucide-circle-stop)').last().click()

    await expect.poll(() => lastRun(wallE)).toMatchObject({ status: 'cancelled' })
    await expect.poll(() => provider.departures).toBe(before + 1)
    expect(await page.getByText('word3').count()).toBe(1)
    expect((await lastRun(wallE)).text).not.toContain('word60')
    await say(page, 'hi')
    await expect.poll(() => page.getByText('Hello.').count()).toBe(3)
  })

  it('stops the run with a reload in mid-answer, and keeps the half', async () => {
    const { page } = wallE
    await say(page, 'count again')
    await expect.poll(() => page.getByText('word3 ').count()).toBe(2)

    await page.reload()

    await expect.poll(() => lastRun(wallE)).toMatchObject({ status: 'cancelled' })
    await expect.poll(() => page.getByText('word3 ').count()).toBe(2)
  })

  it('says that its connection is lost when the server is killed, and the server finishes the answer', async () => {
    const { page } = wallE
    await say(page, 'count to the end')
    await expect.poll(() => page.getByText('word3 ').count()).toBe(3)

    await wallE.killAndRestart()

    await page.getByText(/Error: .*(?:network|fetch)/i).waitFor()
    await expect.poll(() => lastRun(wallE)).toMatchObject({ status: 'finished' })
    // The model continues after its last word; the mock says something else then.
    expect((await lastRun(wallE)).text).toMatch(/word3 .*Hello\./)
    await say(page, 'hi')
    await expect.poll(() => page.getByText('Hello.').count()).toBe(4)
  })
})

describe.runIf(isFull && wallEFolder)('the Wall-E extension before it is let in', () => {
  const folder = wallEFolder ?? ''

  it('shows the command that lets it in', async () => {
    await using wallE = await openWallE(folder)
    await wallE.revoke()
    await say(wallE.page, 'hi')
    await wallE.page.getByText('dragoman token create --name NAME --value TOKEN').waitFor()
  })
})
