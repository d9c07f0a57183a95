import { rgPath } from '@vscode/ripgrep'
import { describe, expect, it } from 'vitest'

import { isFull } from '../../../../test/support/is-full.ts'
import { servedFolder } from '../coding.fixture.ts'
import { hasSandbox, running, sandboxesOf, SYSTEM_PATH } from '../commands/commands.fixture.ts'
import { filesContract } from './files.contract.ts'
import { linesContract } from './lines.contract.ts'
import { plainSearcher } from './plain-searcher.ts'
import { ripgrep } from './ripgrep.ts'
import type { Ground } from './searcher.ts'

const boxes = sandboxesOf({ env: { PATH: SYSTEM_PATH } })
const hasBox = await hasSandbox()
const ground = (root: string): Ground => ({ root, start: '', skip: [], bounds: { base: root, closed: [] } })

describe.skipIf(!hasBox)('in a sandbox', () => {
  filesContract('ripgrep', () => ripgrep(rgPath, boxes))
  linesContract('ripgrep', () => ripgrep(rgPath, boxes))
})
// It starts a process for each search.
describe.runIf(isFull || !hasBox)('without ripgrep', () => {
  filesContract('the plain search', plainSearcher)
  linesContract('the plain search', plainSearcher)
})

describe.skipIf(!hasBox)('ripgrep', () => {
  it('is gone when its reader is', async () => {
    const { root } = await servedFolder({ 'a.txt': 'x\n'.repeat(500_000) })
    const stop = new AbortController()
    const hits = ripgrep(rgPath, boxes).lines(ground(root), { regex: 'x' }, stop.signal)
    const iterator = hits[Symbol.asyncIterator]()
    await iterator.next()
    expect(await running(root)).toBeGreaterThan(0)

    stop.abort(new Error('It was stopped.'))
    await expect(Array.fromAsync({ [Symbol.asyncIterator]: () => iterator })).rejects.toThrow(
      'It was stopped.',
    )
    await expect.poll(() => running(root), { timeout: 10_000 }).toBe(0)
  })

  it('is said to be missing where it cannot be started', async () => {
    const { root } = await servedFolder()
    const files = ripgrep('/nowhere/rg', boxes).files(ground(root), new AbortController().signal)

    await expect(Array.fromAsync(files)).rejects.toMatchObject({ code: 'unavailable' })
  })
})

describe('the plain search', () => {
  it('gives up an expression that comes to no end, while others are served', async () => {
    const { root } = await servedFolder({ 'a.txt': 'one', 'b.txt': `${'a'.repeat(60)}b` })
    const signal = new AbortController().signal
    let turns = 0
    const turn = setInterval(() => (turns += 1), 50)
    const found: string[] = []
    const reading = async (): Promise<void> => {
      const hits = plainSearcher().lines(ground(root), { regex: 'one|^(a+)+$' }, signal)
      for await (const { path } of hits) found.push(path)
    }
    await expect(reading()).rejects.toMatchObject({ code: 'timed-out' })
    clearInterval(turn)
    expect(turns).toBeGreaterThan(20)
  })

  it('gives up at once when it is stopped in the midst of a line', async () => {
    const { root } = await servedFolder({ 'b.txt': `${'a'.repeat(60)}b` })
    const stop = new AbortController()
    const hits = plainSearcher().lines(ground(root), { regex: '^(a+)+$' }, stop.signal)
    const reading = Array.fromAsync(hits)
    setImmediate(() => stop.abort(new Error('It was stopped.')))

    await expect(reading).rejects.toThrow('It was stopped.')
  })
})
