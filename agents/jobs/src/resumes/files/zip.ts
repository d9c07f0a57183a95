import { inflateRawSync } from 'node:zlib'

/** A file that holds others. */
export interface Zip {
  has(name: string): boolean
  /** @throws RangeError for what is larger than the limit, Error for what is damaged or not there */
  read(name: string): Uint8Array
}

const END = 0x06054b50
const ENTRY = 0x02014b50
const LOCAL = 0x04034b50
/** The end record has 22 bytes, and behind it a comment of at most so many. */
const MAX_COMMENT_LENGTH = 65_535
const MAX_ENTRIES = 10_000

type Place = { readonly method: number; readonly packed: number; readonly offset: number }

/**
 * Opens a zip. Nothing is unpacked before it is asked for, and never more than `most` bytes, all in all: what a file
 * claims to hold is not believed. @throws Error for what is none
 */
export function openZip(bytes: Uint8Array, most: number): Zip {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const places = directory(data)
  let remaining = most
  return {
    has: (name) => places.has(name),
    read(name) {
      const place = places.get(name)
      if (!place) throw new Error(`There is no ${name} in it.`)
      const read = unpack(data, place, remaining)
      remaining -= read.byteLength
      return read
    },
  }
}

function directory(data: Buffer): ReadonlyMap<string, Place> {
  const end = data.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]))
  if (end < 0 || end < data.length - 22 - MAX_COMMENT_LENGTH || data.readUInt32LE(end) !== END) {
    throw new Error('It has no directory.')
  }
  const places = new Map<string, Place>()
  const entries = Math.min(data.readUInt16LE(end + 10), MAX_ENTRIES)
  let at = data.readUInt32LE(end + 16)
  for (let index = 0; index < entries; index += 1) {
    if (data.readUInt32LE(at) !== ENTRY) throw new Error('Its directory is damaged.')
    const [name, extra, comment] = [28, 30, 32].map((offset) => data.readUInt16LE(at + offset)) as [
      number,
      number,
      number,
    ]
    places.set(data.toString('utf8', at + 46, at + 46 + name), {
      method: data.readUInt16LE(at + 10),
      packed: data.readUInt32LE(at + 20),
      offset: data.readUInt32LE(at + 42),
    })
    at += 46 + name + extra + comment
  }
  return places
}

function unpack(data: Buffer, { method, packed, offset }: Place, most: number): Uint8Array {
  if (data.readUInt32LE(offset) !== LOCAL) throw new Error('An entry of it is damaged.')
  const start = offset + 30 + data.readUInt16LE(offset + 26) + data.readUInt16LE(offset + 28)
  const raw = data.subarray(start, start + packed)
  if (method === 8) return inflateRawSync(raw, { maxOutputLength: Math.max(most, 1) })
  if (method !== 0) throw new Error('It is packed in an unusual way.')
  if (raw.byteLength > most) throw new RangeError('It is too large.')
  return raw
}
