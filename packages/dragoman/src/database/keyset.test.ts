import { describe, expect, it } from 'vitest'

import { keyset } from './keyset.ts'

type Row = { readonly at: string; readonly id: number }

const rows: readonly Row[] = [1, 2, 3].map((id) => ({ at: 'now', id }))
const pages = keyset('notes', ['', 0], ({ at, id }: Row) => [at, id])

describe('keyset', () => {
  it('gives the key of the last row of a page back to the next page', () => {
    const { rows: shown, nextCursor } = pages.page(rows, 2)

    expect(shown).toEqual(rows.slice(0, 2))
    expect(pages.after(nextCursor)).toEqual(['now', 2])
  })

  it('gives no cursor for the last page', () => {
    expect(pages.page(rows, 3)).toEqual({ rows })
    expect(pages.after(undefined)).toBeUndefined()
    expect(pages.after('')).toBeUndefined()
  })

  it.each([
    ['junk', 'junk'],
    ['a number', '2'],
    ['JSON that is no list', 'bnVsbA'],
    ['another list', keyset('others', ['', 0], () => ['now', 2]).page(rows, 1).nextCursor],
    ['a key of other types', keyset('notes', [0, ''], () => [2, 'now']).page(rows, 1).nextCursor],
  ])('refuses a cursor of %s', (_, cursor) => {
    expect(() => pages.after(cursor)).toThrow('cursor must be that of the page before')
  })
})
