/** Random values that are equal for equal names. */
export interface SeededRandom {
  /** A whole number from `low` to `high`, inclusive. */
  between(low: number, high: number): number
  /** True in `percent` of a hundred cases. */
  happens(percent: number): boolean
  pick<T>(from: readonly [T, ...T[]]): T
}

/** Each name has its own sequence, so that other draws do not change it. */
export function createSeededRandom(seed: number, name: string): SeededRandom {
  const next = mulberry32(fnv1a(`${seed}/${name}`))
  const between = (low: number, high: number): number => low + Math.floor(next() * (high - low + 1))
  return {
    between,
    happens: (percent) => next() * 100 < percent,
    pick: (from) => from[between(0, from.length - 1)] ?? from[0],
  }
}

/** By Tommy Ettinger, in the public domain: https://gist.github.com/tommyettinger/46a874533244883189143505d203312c */
function mulberry32(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** FNV-1a, 32 bits. */
function fnv1a(text: string): number {
  let hash = 0x811c9dc5
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01000193)
  return hash >>> 0
}
