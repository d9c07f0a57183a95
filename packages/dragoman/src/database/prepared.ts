import type { Compilable, CompiledQuery } from 'kysely'

import type { Database } from './open.ts'

/** Stands for a value in a query that is made before its values are known. */
class Hole {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

/**
 * A query whose text is made once, at its first use: making it costs several times what SQLite needs for it. `build` has a hole in place
 * of each value.
 */
export function prepared<Values extends object, Row>(
  db: Database,
  build: (hole: <Name extends keyof Values & string>(name: Name) => Values[Name]) => Compilable<Row>,
): (values: Values) => Promise<Row[]> {
  let made: CompiledQuery<Row> | undefined
  return async (values) => {
    made ??= build((name) => new Hole(name) as never).compile()
    const parameters = made.parameters.map((each) =>
      each instanceof Hole ? values[each.name as keyof Values] : each,
    )
    return (await db.executeQuery<Row>({ ...made, parameters })).rows
  }
}
