import { readFile, readdir } from 'node:fs/promises'

import { rgPath } from '@vscode/ripgrep'
import { describe, expect, it } from 'vitest'

import { servedFolder } from '../coding.fixture.ts'
import { filesContract } from './files.contract.ts'
import { linesContract } from './lines.contract.ts'
import { plainSearcher } from './plain.ts'
import { ripgrep } from './ripgrep.ts'

filesContract('ripgrep', () => ripgrep(rgPath))
linesContract('ripgrep', () => ripgrep(rgPath))
filesContract('the plain search', plainSearcher)
linesContract('the plain search', plainSearcher)

describe('ripgrep', () => {
  it.skipIf(process.platform !== 'linux')('is gone when its reader is', async () => {
    const { root } = await servedFolder({ 'a.txt': 'x\n'.repeat(500_000) })
    const stop = new AbortController()
    const hits = ripgrep(rgPath).lines({ root, start: '', skip: [] }, { regex: 'x' }, stop.signal)
    const iterator = hits[Symbol.asyncIterator]()
    await iterator.next()
    expect(await children()).toContain('rg')

    stop.abort(new Error('It was stopped.'))
    await expect(Array.fromAsync({ [Symbol.asyncIterator]: () => iterator })).rejects.toThrow(
      'It was stopped.',
    )
    await expect.poll(children).not.toContain('rg')
  })

  it('is said to be missing where it cannot be started', async () => {
    const { root } = await servedFolder()
    const files = ripgrep('/nowhere/rg').files({ root, start: '', skip: [] }, new AbortController().signal)

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
      const hits = plainSearcher().lines({ root, start: '', skip: [] }, { regex: 'one|^(a+)+$' }, signal)
      for await (const { path } of hits) found.push(path)
    }
    await expect(reading()).rejects.toMatchObject({ code: 'timed-out' })
    clearInterval(turn)
    expect(turns).toBeGreaterThan(20)
  })

  it('gives up at once when it is stopped in the midst of a line', async () => {
    const { root } = await servedFolder({ 'b.txt': `${'a'.repeat(60)}b` })
    const stop = new AbortController()
    const hits = plainSearcher().lines({ root, start: '', skip: [] }, { regex: '^(a+)+$' }, stop.signal)
    const reading = Array.fromAsync(hits)
    setImmediate(() => stop.abort(new Error('It was stopped.')))

    await expect(reading).rejects.toThrow('It was stopped.')
  })
})

/** The programs that this process has started and that go on. */
async function children(): Promise<string[]> {
  const own = String(process.pid)
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const stats = await Promise.all(ids.map((id) => readFile(`/proc/${id}/stat`, 'utf8').catch(() => '')))
  return stats.flatMap((stat) => {
    const [, name = '', state, parent] = /\((.*)\) (\w) (\d+)/.exec(stat) ?? []
    return parent === own && state !== 'Z' ? [name] : []
  })
}
