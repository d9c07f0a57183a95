const ONE_YEAR_S = 31_536_000

/** For files whose address changes with their content. */
export const IMMUTABLE = `public, max-age=${ONE_YEAR_S}, immutable`
