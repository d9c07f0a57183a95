import type { Json } from 'dragoman/events'

/**
 * A value as JSON holds it, which is what a page gets of it: a `Date` is a text, a `Map` an object, `undefined` is
 * null, and methods are left out.
 *
 * @example
 * const order: JsonForm<{ placed: Date; tags: Set<string> }> = { placed: '2026-11-30T12:00:00.000Z', tags: ['new'] }
 */
export type JsonForm<Value> = unknown extends Value
  ? Value
  : Value extends Json
    ? Value
    : Value extends undefined | void | symbol | Method
      ? null
      : Value extends { toJSON(...key: never): infer Form }
        ? Form
        : Value extends ReadonlyMap<infer Key, infer Item>
          ? Key extends string
            ? { [key: string]: JsonForm<Item> }
            : [JsonForm<Key>, JsonForm<Item>][]
          : Value extends ReadonlySet<infer Item>
            ? JsonForm<Item>[]
            : JsonObject<Value>

type Method = (...args: never) => unknown

/** Of a list, the same list of other items. */
type JsonObject<Value> = Value extends readonly unknown[]
  ? { [Index in keyof Value]: JsonForm<Value[Index]> }
  : { [Key in keyof Value as Value[Key] extends symbol | Method ? never : Key]: JsonField<Value[Key]> }

/** A field that is undefined is left out. */
type JsonField<Value> = Value extends undefined ? Value : JsonForm<Value>
