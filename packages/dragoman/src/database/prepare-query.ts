import type { Compilable, CompiledQuery } from 'kysely'

import type { Database } from './open-database.ts'

/** Stands for a value in a query that is made before its values are known. */
class Placeholder {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

/**
 * A query whose text is made once, at its first use: making it costs several times what SQLite needs for it. `build` has a hole in place
 * of each value.
 */
export function prepareQuery<Values extends object, Row>(
  db: Database,
  build: (placeholder: <Name extends keyof Values & string>(name: Name) => Values[Name]) => Compilable<Row>,
): (values: Values) => Promise<Row[]> {
  let compiled: CompiledQuery<Row> | undefined
  return async (values) => {
    compiled ??= build((name) => new Placeholder(name) as never).compile()
    const parameters = compiled.parameters.map((each) =>
      each instanceof Placeholder ? values[each.name as keyof Values] : each,
    )
    return (await db.executeQuery<Row>({ ...compiled, parameters })).rows
  }
}
