import { seal, unseal, type SealKeys } from './seal.ts'

/** A value that is sealed for a name. */
export type SealedRow = {
  readonly name: string
  readonly sealed: string
  /** Stores it in place of what was read, unless that has changed meanwhile. */
  readonly replace: (sealed: string) => Promise<void>
}

/** `sealed`: values that the first key opens now. `unopened`: values that no key opens. */
export type ResealResult = { readonly sealed: number; readonly unopened: number }

/** Seals values with the first key that another one of the keys has sealed. */
export async function reseal(rows: AsyncIterable<SealedRow>, keys: SealKeys): Promise<ResealResult> {
  let [sealed, unopened] = [0, 0]
  for await (const row of rows) {
    const text = unseal(row.sealed, keys, row.name)
    if (text === undefined) unopened += 1
    else sealed += 1
    if (text !== undefined && unseal(row.sealed, [keys[0]], row.name) === undefined)
      await row.replace(seal(text, keys, row.name))
  }
  return { sealed, unopened }
}
