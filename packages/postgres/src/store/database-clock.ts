/** The database's clock, as far as its answers tell. Nodes whose clocks differ write times of one clock. */
export interface DatabaseClock {
  now(): number
  learn(now: number | undefined): void
}

export function databaseClock(): DatabaseClock {
  let offset = 0
  return {
    now: () => Date.now() + offset,
    learn(now) {
      if (now !== undefined) offset = now - Date.now()
    },
  }
}
