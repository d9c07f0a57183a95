import { expect, it } from 'vitest'

import { rowsThatFit } from './list-texts.ts'

it.each([
  [[1, 2, 3], 2, 2],
  [[600_000, 400_000, 1], 10, 2],
  [[600_000, 400_001, 1], 10, 1],
  [[9_000_000, 1], 10, 1],
  [['1000000', '1'], 10, 1],
  [[], 10, 10],
])('a page of texts of %j, at most %i, has %i', (sizes, limit, fitting) => {
  expect(
    rowsThatFit(
      sizes.map((size) => ({ size })),
      limit,
    ),
  ).toBe(fitting)
})
