import { canonicalJson, isJsonObject, parseJson } from '../../events/index.ts'
import { createCallJoiner, type CallPiece } from './join-calls.ts'

type Held = CallPiece & { readonly isText?: boolean | undefined }

/**
 * Passes the pieces of calls on once the package can take them: it takes the name of a call as whole, fails an answer
 * with a call without a name, and knows no input that is a text. A name may come in pieces until the arguments begin.
 */
export function createCallHolder() {
  const join = createCallJoiner()
  const isRepeat = createRepeatFinder()
  const held = new Map<number | undefined, Held>()
  /** The indexes of the calls that the package has. */
  const open = new Set<number | undefined>()
  let isNameless = false
  const release = (call: Held): readonly CallPiece[] => {
    held.delete(call.index)
    if (!hasName(call)) {
      isNameless = true
      return []
    }
    open.add(call.index)
    return [toFunction(call)]
  }
  const goesOn = ({ index }: Held): boolean =>
    open.has(index) || (index === undefined ? open.size > 0 : open.has(undefined))
  const take = (piece: Held, fresh: Set<Held>): readonly CallPiece[] => {
    const before = held.get(piece.index)
    const isNew = before && (fresh.has(before) || isOther(before, piece)) && hasName(before) && hasName(piece)
    const call = before && !isNew ? merge(before, piece) : piece
    const isDue = (each: Held): boolean => (each === before ? isNew === true : hasName(each) && !each.isText)
    const others = [...held.values()].filter(isDue).flatMap(release)
    if (!call.isText && (hasName(call) ? call.function.arguments : !before && goesOn(call))) {
      held.delete(call.index)
      if (hasName(call)) open.add(call.index)
      return [...others, call]
    }
    held.set(call.index, call)
    fresh.add(call)
    return others
  }
  return {
    /** The calls of one chunk. */
    take(pieces: readonly Held[]): readonly CallPiece[] {
      const fresh = new Set<Held>()
      return pieces.flatMap((piece) =>
        isRepeat(piece) ? [] : take(piece.isText ? piece : join(piece), fresh),
      )
    },
    /** What is held at the end of an answer. */
    rest: (): readonly CallPiece[] => [...held.values()].flatMap(release),
    /** Whether a call had no name at the end, so that it is left out. */
    hasNameless: () => isNameless,
  }
}

/** Finds the whole calls that a server sends once more, after their pieces. Each would run twice. */
function createRepeatFinder(): (piece: CallPiece) => boolean {
  const newest = new Map<number | undefined, { readonly id: string; name: string; text: string }>()
  return ({ index, id, function: called }) => {
    const { name = '', arguments: more = '' } = called
    const call = newest.get(index)
    const isOfCall = id === undefined || id === call?.id
    const isNamed = name === '' || name === call?.name
    if (call && id && isOfCall && isNamed && isSameInput(call.text, more)) return true
    if (call && isOfCall) {
      call.name ||= name
      call.text += more
    } else if (id) newest.set(index, { id, name, text: more })
    return false
  }
}

/** A piece is seldom a whole input, so it is looked at first: the text so far may be long. */
function isSameInput(text: string, piece: string): boolean {
  const repeated = parseJson(piece)
  if (!isJsonObject(repeated)) return false
  const value = parseJson(text)
  return isJsonObject(value) && canonicalJson(value) === canonicalJson(repeated)
}

function hasName({ function: { name = '' } }: CallPiece): boolean {
  return name.trim() !== ''
}

/** Without an index, a name begins a call. */
function isOther(before: Held, { index, id }: Held): boolean {
  return index === undefined || (id !== undefined && before.id !== undefined && id !== before.id)
}

function merge(before: Held, { id, isText, function: called, ...piece }: Held): Held {
  const name = before.function.name ?? ''
  const more = called.name ?? ''
  return {
    ...before,
    ...piece,
    id: before.id ?? id,
    isText: before.isText ?? isText,
    function: {
      ...before.function,
      ...called,
      // Some servers send the whole name each time.
      name: more.startsWith(name) ? more : name + more,
      arguments: `${before.function.arguments ?? ''}${called.arguments ?? ''}`,
    },
  }
}

function toFunction({ isText, ...call }: Held): CallPiece {
  const { arguments: input = '', ...called } = call.function
  return isText ? { ...call, function: { ...called, arguments: JSON.stringify(input) } } : call
}
