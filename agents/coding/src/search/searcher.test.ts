import { rgPath } from '@vscode/ripgrep'
import { describe, expect, it } from 'vitest'

import { isFull } from '../../../../test/support/is-full.ts'
import { servedFolder } from '../coding.fixture.ts'
import { hasSandbox, countProcesses, testSandboxes, SYSTEM_PATH } from '../commands/commands.fixture.ts'
import { filesContract } from './file-search.contract.ts'
import { linesContract } from './line-search.contract.ts'
import { plainSearcher } from './plain-searcher.ts'
import { ripgrepSearcher } from './ripgrep-searcher.ts'
import type { SearchArea } from './searcher.ts'

const boxes = testSandboxes({ env: { PATH: SYSTEM_PATH } })
const hasBox = await hasSandbox()
const ground = (root: string): SearchArea => ({
  root,
  start: '',
  skip: [],
  bounds: { base: root, closed: [] },
})

describe.skipIf(!hasBox)('in a sandbox', () => {
  filesContract('ripgrep', () => ripgrepSearcher(rgPath, boxes))
  linesContract('ripgrep', () => ripgrepSearcher(rgPath, boxes))
})
// It starts a process for each search.
describe.runIf(isFull || !hasBox)('without ripgrep', () => {
  filesContract('the plain search', plainSearcher)
  linesContract('the plain search', plainSearcher)
})

describe.skipIf(!hasBox)('ripgrep', () => {
  it('ends when its reader leaves', async () => {
    const { root } = await servedFolder({ 'a.txt': 'x\n'.repeat(500_000) })
    const stop = new AbortController()
    const hits = ripgrepSearcher(rgPath, boxes).lines(ground(root), { regex: 'x' }, stop.signal)
    const iterator = hits[Symbol.asyncIterator]()
    await iterator.next()
    expect(await countProcesses(root)).toBeGreaterThan(0)

    stop.abort(new Error('It was stopped.'))
    await expect(Array.fromAsync({ [Symbol.asyncIterator]: () => iterator })).rejects.toThrow(
      'It was stopped.',
    )
    await expect.poll(() => countProcesses(root), { timeout: 10_000 }).toBe(0)
  })

  it('gives an error if it cannot start', async () => {
    const { root } = await servedFolder()
    const files = ripgrepSearcher('/nowhere/rg', boxes).files(ground(root), new AbortController().signal)

    await expect(Array.fromAsync(files)).rejects.toMatchObject({ code: 'unavailable' })
  })
})

describe('the plain search', () => {
  it('gives up an endless expression while others are served', async () => {
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

  it('gives up at once when it is stopped within a line', async () => {
    const { root } = await servedFolder({ 'b.txt': `${'a'.repeat(60)}b` })
    const stop = new AbortController()
    const hits = plainSearcher().lines(ground(root), { regex: '^(a+)+$' }, stop.signal)
    const reading = Array.fromAsync(hits)
    setImmediate(() => stop.abort(new Error('It was stopped.')))

    await expect(reading).rejects.toThrow('It was stopped.')
  })
})
