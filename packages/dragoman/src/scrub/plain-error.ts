import { types } from 'node:util'

/** The fields that the server reads of an error. Its stack is read apart: V8 makes it when it is read. */
const FIELDS = ['name', 'message', 'code', 'cause', 'errors', 'syscall', 'severity', 'constructor'] as const
const MAX_CHARACTERS = 8192
const UNREADABLE = 'An error that cannot be read.'

/**
 * An error that can be read without running code of the one who threw it: the thrown value itself, or
 * a copy without its cause if reading it would run code, which may throw. Never throws.
 */
export function plainError(thrown: unknown): unknown {
  if (!isObject(thrown) || isPlain(thrown)) return thrown
  const texts = (['code', 'syscall', 'severity'] as const).flatMap((field) => {
    const text = read(thrown, field)
    return text === undefined ? [] : [[field, text] as const]
  })
  return Object.assign(new Error(read(thrown, 'message') ?? UNREADABLE), {
    name: read(thrown, 'name') ?? 'Error',
    stack: stackOf(thrown),
    ...Object.fromEntries(texts),
  })
}

/** The stack of an error, at most so much as a line of the log holds. */
export function stackOf(error: object): string {
  return read(error, 'stack') ?? ''
}

function isObject(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function'
}

function isPlain(error: object): boolean {
  for (let each: object | null = error; each !== null; each = Object.getPrototypeOf(each) as object | null) {
    const own = each
    if (types.isProxy(own)) return false
    if (FIELDS.some((field) => Object.getOwnPropertyDescriptor(own, field)?.get)) return false
  }
  return true
}

function read(error: object, field: string): string | undefined {
  try {
    const value: unknown = Reflect.get(error, field)
    return typeof value === 'string' ? value.slice(0, MAX_CHARACTERS) : undefined
  } catch {
    return undefined
  }
}
