import { createRequire } from 'node:module'

import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import type { Json } from './json.ts'
import { applyJsonPatch, type PatchOperation } from './json-patch.ts'

/** What the AG-UI clients apply patches with: it throws where one does not fit. */
type Judge = {
  applyPatch(
    document: unknown,
    patch: readonly PatchOperation[],
    validate: true,
    mutate: false,
  ): { readonly newDocument: Json }
  compare(before: unknown, after: unknown): PatchOperation[]
}
const ofClient = createRequire(import.meta.resolve('@ag-ui/client'))
const { applyPatch, compare } = ofClient('fast-json-patch') as Judge

const leaf = fc.oneof(fc.integer({ min: 0, max: 3 }), fc.constantFrom('', 'a', '天气', null, true))
const document: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    leaf,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'a/b', 'm~n', '0', 'toString'), tie('value'), {
      maxKeys: 3,
      noNullPrototype: true,
    }),
  ),
})).value
const key = fc.constantFrom('a', 'b', 'a~1b', 'm~0n', '0', '1', '2', '-', '01', 'toString', 'c')
/** Most of them not there: what is refused must be refused here too. */
const stray = fc.array(key, { maxLength: 3 }).map((keys) => keys.map((each) => `/${each}`).join(''))

/** All places of a document, and one beside each. */
function placesIn(value: Json, at = ''): string[] {
  if (Array.isArray(value)) {
    const list = value as readonly Json[]
    return [at, `${at}/-`, `${at}/${list.length}`, ...list.flatMap((held, n) => placesIn(held, `${at}/${n}`))]
  }
  if (typeof value !== 'object' || value === null) return [at]
  const inner = Object.entries(value).flatMap(([name, held]) =>
    placesIn(held, `${at}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`),
  )
  return [at, `${at}/new`, ...inner]
}

const changes = document.chain((before) => {
  const path = fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...placesIn(before)) }, stray)
  const operation: fc.Arbitrary<PatchOperation> = fc.oneof(
    fc.record({ op: fc.constantFrom('add', 'replace', 'test'), path, value: document }),
    fc.record({ op: fc.constant('remove'), path }),
    fc.record({ op: fc.constantFrom('move', 'copy'), path, from: path }),
  )
  // That library makes a ring of a value that is moved into itself.
  const sane = operation.filter((each) => each.op !== 'move' || !each.path.startsWith(`${each.from}/`))
  return fc.record({ before: fc.constant(before), patch: fc.array(sane, { maxLength: 4 }) })
})

describe('applyJsonPatch', () => {
  it('changes one document into any other', () => {
    fc.assert(
      fc.property(document, document, (before, after) => {
        const [from, to] = [{ shared: before }, { shared: after }]
        expect(applyJsonPatch(from, compare(from, to))).toEqual(to)
      }),
      { numRuns: 300, seed: 20_261_122 },
    )
  })

  it("accepts and refuses what the clients' library does, and does not change its input", () => {
    let applied = 0
    fc.assert(
      fc.property(changes, ({ before, patch }) => {
        const asItWas = JSON.stringify({ before, patch })
        const ours = outcome(() => applyJsonPatch(before, patch))
        const theirs = outcome(
          () => applyPatch(structuredClone(before), structuredClone(patch), true, false).newDocument,
        )
        // Of what makes no sense it takes some: a key that is no index, say.
        if (ours) expect(ours).toEqual(theirs)
        expect(JSON.stringify({ before, patch })).toBe(asItWas)
        if (ours && patch.length > 0) applied += 1
      }),
      { numRuns: 1500, seed: 20_261_122 },
    )
    expect(applied).toBeGreaterThan(200)
  })

  it.each(['/__proto__/x', '/constructor/prototype/x', '/a/__proto__', '/prototype', '/a/constructor'])(
    'changes no prototype by %s',
    (path) => {
      const patches: PatchOperation[] = [
        { op: 'add', path, value: 1 },
        { op: 'replace', path, value: 1 },
        { op: 'remove', path },
        { op: 'copy', from: path, path: '/b' },
        { op: 'move', from: '/a', path },
      ]
      for (const operation of patches)
        expect(() => applyJsonPatch({ a: { constructor: { prototype: {} } } }, [operation])).toThrow(
          RangeError,
        )
      expect(Object.keys(Object.prototype)).toEqual([])
    },
  )

  it('does not read properties of a prototype', () => {
    expect(() => applyJsonPatch({ a: {} }, [{ op: 'copy', from: '/a/toString', path: '/b' }])).toThrow(
      RangeError,
    )
    expect(() => applyJsonPatch({ a: {} }, [{ op: 'remove', path: '/a/hasOwnProperty' }])).toThrow(RangeError)
  })

  it('names the invalid operation', () => {
    const patch = [
      { op: 'add', path: '/n', value: 1 },
      { op: 'replace', path: '/list/3', value: 1 },
    ] as const
    expect(() => applyJsonPatch({ list: [] }, patch)).toThrow('1: replace /list/3 is not there')
    expect(() => applyJsonPatch({}, [{ op: 'test', path: '', value: null }])).toThrow(
      '0: test  does not hold',
    )
    expect(() => applyJsonPatch({ a: {} }, [{ op: 'move', from: '/a', path: '/a/b' }])).toThrow('into itself')
    expect(() => applyJsonPatch({}, [{ op: 'remove', path: 'x' }])).toThrow('is no JSON pointer')
  })
})

/** Nothing where it is refused. */
function outcome(act: () => Json): { readonly made: Json } | undefined {
  try {
    return { made: act() }
  } catch {
    return undefined
  }
}
