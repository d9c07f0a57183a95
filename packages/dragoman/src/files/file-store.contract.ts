import { describe, expect, it, vi } from 'vitest'

import type { Database } from '../database/index.ts'
import { databaseFiles, type FileStore } from './index.ts'

const png = { mediaType: 'image/png', content: Buffer.alloc(600_000, 7) }
const HOUR = 3_600_000

async function contentOf(files: FileStore, id: string): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  for await (const piece of files.read(id)) pieces.push(piece)
  return Buffer.concat(pieces)
}

/** The promises of a file store, on a database with its tables. */
export function describeFileStore(name: string, open: () => Promise<Database>): void {
  describe(`files in ${name}`, () => {
    const openFiles = async (room = Infinity) => {
      const changes: string[] = []
      let stored = 0
      const reserve = async (_userId: string, _key: string, bytes: number): Promise<void> => {
        stored += bytes
        if (stored > room) throw new Error('full')
      }
      const onChange = (userId: string): number => changes.push(userId)
      const files = databaseFiles(await open(), { maxBytes: 1_000_000, reserve, onChange })
      return { files, changes }
    }

    it('gives back what was stored, to its owner alone', async () => {
      const { files } = await openFiles()
      const { id } = await files.put('ann', { ...png, filename: 'a.png' }, 'conv_1')

      expect(await files.get('ann', id)).toEqual({
        id,
        mediaType: 'image/png',
        filename: 'a.png',
        bytes: 600_000,
      })
      expect((await contentOf(files, id)).equals(png.content)).toBe(true)
      await expect(files.get('bob', id)).rejects.toMatchObject({ code: 'not-found' })
    })

    it('stores the same content of a user once, and counts it once', async () => {
      const { files, changes } = await openFiles()
      const all = await Promise.all([1, 2, 3].map((n) => files.put('ann', png, `conv_${n}`)))
      const other = await files.put('bob', png, 'conv_4')

      expect(new Set(all.map(({ id }) => id)).size).toBe(1)
      expect(other.id).not.toBe(all[0]?.id)
      expect(await files.bytesOf('ann')).toBe(600_000)
      expect(changes).toContain('ann')
    })

    it('refuses what is too large, and what the user has no room for', async () => {
      const { files } = await openFiles(100)

      await expect(files.put('ann', { ...png, content: Buffer.alloc(1_000_001) })).rejects.toMatchObject({
        code: 'too-large',
      })
      await expect(files.put('ann', png)).rejects.toThrow('full')
      expect(await files.bytesOf('ann')).toBe(0)
    })

    it('takes a file piece by piece, and knows its type and that it has it already', async () => {
      const { files } = await openFiles()
      const content = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(700_000, 5)])
      const pieces = async function* () {
        for (let at = 0; at < content.length; at += 100_000) yield content.subarray(at, at + 100_000)
      }
      const about = { mediaType: 'text/plain', filename: 'a.txt' }
      const [first, second] = await Promise.all([
        files.receive('ann', about, pieces()),
        files.receive('ann', about, pieces()),
      ])
      const third = await files.put('ann', { mediaType: 'image/png', content })

      expect(first).toEqual({ id: first.id, mediaType: 'image/png', filename: 'a.txt', bytes: 700_008 })
      expect([second.id, third.id]).toEqual([first.id, first.id])
      expect((await contentOf(files, first.id)).equals(content)).toBe(true)
      expect(await files.bytesOf('ann')).toBe(700_008)
    })

    it('keeps nothing of a file that does not come to its end', async () => {
      const { files } = await openFiles(500_000)
      const broken = async function* () {
        yield Buffer.alloc(300_000)
        throw new Error('cut off')
      }

      await expect(files.receive('ann', png, broken())).rejects.toThrow('cut off')
      await expect(files.receive('ann', png, ReadableStream.from([png.content]))).rejects.toThrow('full')
      expect(await files.bytesOf('ann')).toBe(0)
    })

    it('deletes a file once no conversation shows it', async () => {
      const { files } = await openFiles()
      const { id } = await files.put('ann', png, 'conv_gone')
      const gif = await files.put('ann', { ...png, mediaType: 'image/gif' }, 'conv_gone')
      await files.share('conv_gone', 'conv_fork')
      const findGone = async (ids: readonly string[]) => new Set(ids.filter((each) => each === 'conv_gone'))
      await files.sweep(findGone, -1)
      expect((await files.get('ann', gif.id)).bytes).toBe(600_000)
      expect((await files.get('ann', id)).bytes).toBe(600_000)

      await files.sweep(async (ids) => new Set(ids), -1)
      await expect(files.get('ann', id)).rejects.toMatchObject({ code: 'not-found' })
      expect(await contentOf(files, id)).toHaveLength(0)
    })

    it('deletes a file of a deleted conversation long before one that was never shown', async () => {
      const { files } = await openFiles()
      const { id } = await files.put('ann', png, 'conv_gone')
      const all = async (ids: readonly string[]) => new Set(ids)

      expect(await files.sweep(all, HOUR)).toEqual(new Set())
      expect((await files.get('ann', id)).id).toBe(id)
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 })
      try {
        expect(await files.sweep(all, HOUR)).toEqual(new Set(['ann']))
      } finally {
        vi.useRealTimers()
      }
      await expect(files.get('ann', id)).rejects.toMatchObject({ code: 'not-found' })
    })

    it('keeps an upload that no conversation shows yet for a time', async () => {
      const { files } = await openFiles()
      const { id } = await files.put('ann', png)

      expect(await files.sweep(async () => new Set(), HOUR)).toEqual(new Set())
      expect((await files.get('ann', id)).id).toBe(id)
      expect(await files.sweep(async () => new Set(), -1)).toEqual(new Set(['ann']))
    })

    it('gives the files of a guest to an account', async () => {
      const { files } = await openFiles()
      const { id } = await files.put('guest', png, 'conv_1')
      await files.transfer('guest', 'ann')

      expect((await files.get('ann', id)).id).toBe(id)
    })
  })
}
