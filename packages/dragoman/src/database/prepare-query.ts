import type { Compilable, CompiledQuery } from 'kysely'

import type { Database } from './open-database.ts'

/** A placeholder for a value in a query that is compiled before its values are known. */
class Placeholder {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

/**
 * Compiles a query once, at its first use: compiling costs several times what SQLite needs to run it. `build`
 * gets a placeholder for each value.
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
