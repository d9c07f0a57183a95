/** A piece of a call, as the package for chat completions takes it. */
export type CallPiece = {
  readonly index: number | undefined
  readonly id: string | undefined
  readonly function: { readonly name: string | undefined; readonly arguments: string | undefined }
}

/**
 * Gives the pieces of a call one index. Some servers count the pieces and not the calls, and give each an id: a piece
 * without a name, at an index of its own, goes on with the call before, as long as the arguments of that are not whole.
 */
export function createCallJoiner(): <C extends CallPiece>(piece: C) => C {
  const indexes = new Set<number>()
  let newest: number | undefined
  let json = createJsonCounter()
  return (piece) => {
    const { index, function: called } = piece
    const isNamed = called.name !== undefined && called.name !== ''
    const isOwn = index === undefined || indexes.has(index) || isNamed
    if (!isOwn && newest !== undefined && called.arguments && !json.isWhole()) {
      json.take(called.arguments)
      return { ...piece, index: newest, id: undefined, function: { ...called, name: undefined } }
    }
    if (index !== undefined) indexes.add(index)
    if (isNamed) {
      newest = index
      json = createJsonCounter()
    }
    if (index === newest) json.take(called.arguments ?? '')
    return piece
  }
}

/** Counts what is open in a JSON object that comes in pieces. */
function createJsonCounter() {
  let depth = 0
  let hasBegun = false
  let isInText = false
  let isEscaped = false
  const takeInText = (character: string): void => {
    if (!isEscaped && character === '"') isInText = false
    isEscaped = !isEscaped && character === '\\'
  }
  return {
    take(piece: string): void {
      for (const character of piece) {
        if (isInText) takeInText(character)
        else if (character === '"') isInText = true
        else if (character === '{' || character === '[') depth += 1
        else if (character === '}' || character === ']') depth -= 1
        hasBegun ||= depth > 0
      }
    },
    isWhole: () => hasBegun && depth <= 0,
  }
}
